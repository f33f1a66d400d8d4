// `jwt-role-claim-key`: parses it in one of two grammars, finds the role in a token's claims, and prints its dump form
// (`operating.md` §3.6, §2.1).
import { fail, ok, type Result } from '../contract/result.ts';
import type { JsonObject } from '../util/json-object.ts';
import type { JsonPath } from './json-path/json-path.ts';
import { parseJsonPath } from './json-path/parse-json-path.ts';
import { printJsonPath } from './json-path/print-json-path.ts';
import { selectNodes } from './json-path/select-nodes.ts';
import { followPath, parsePathDsl, type PathStep, printPathDsl } from './path-dsl.ts';
import { toJsonPath } from './path-dsl-to-json-path.ts';

export type RolePath =
  | { readonly kind: 'jsonPath'; readonly path: JsonPath }
  | { readonly kind: 'dsl'; readonly steps: readonly PathStep[] };

/** The error is the text of a configuration error (`operating.md` §1.6). */
export function parseRolePath(text: string): Result<RolePath, string> {
  const path = parseJsonPath(text);
  if (path !== undefined) return ok({ kind: 'jsonPath', path });
  const steps = parsePathDsl(text);
  if (steps !== undefined) return ok({ kind: 'dsl', steps });
  return fail(`failed to parse role-claim-key value (${text})`);
}

export function printRolePath(path: RolePath): string {
  return path.kind === 'jsonPath' ? printJsonPath(path.path) : printPathDsl(path.steps);
}

/** Returns the JSONPath that replaces a path of the legacy language; undefined for a JSONPath. */
export function findReplacement(path: RolePath): string | undefined {
  return path.kind === 'dsl' ? printJsonPath(toJsonPath(path.steps)) : undefined;
}

/** Returns a string unchanged, any other value as compact JSON, and `undefined` if the path finds nothing. */
export function resolveRole(path: RolePath, claims: JsonObject): string | undefined {
  const value = path.kind === 'jsonPath' ? selectNodes(path.path, claims)[0] : followPath(path.steps, claims);
  return typeof value === 'string' || value === undefined ? value : JSON.stringify(value);
}

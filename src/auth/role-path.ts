// `jwt-role-claim-key`: parses it in one of two grammars, finds the role in a token's claims, and prints its dump form
// (`operating.md` §3.6, §2.1).
import { assertNever, fail, ok, type Result } from '../contract/result.ts';
import { parseShorthandName, Scanner } from './json-path/scanner.ts';
import type { JsonObject } from '../util/json-object.ts';
import type { Condition, JsonPath, Operand, Segment } from './json-path/json-path.ts';
import { parseJsonPath } from './json-path/parse-json-path.ts';
import { printJsonPath } from './json-path/print-json-path.ts';
import { selectNodes } from './json-path/select-nodes.ts';
import { followPath, parsePathDsl, type PathStep, printPathDsl } from './path-dsl.ts';

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
  return path.kind === 'dsl' ? printJsonPath({ root: '$', segments: path.steps.map(toSegment) }) : undefined;
}

/** Returns a string unchanged, any other value as compact JSON, and `undefined` if the path finds nothing. */
export function resolveRole(path: RolePath, claims: JsonObject): string | undefined {
  const value = path.kind === 'jsonPath' ? selectNodes(path.path, claims)[0] : followPath(path.steps, claims);
  return typeof value === 'string' || value === undefined ? value : JSON.stringify(value);
}

const ELEMENT: Operand = { kind: 'path', path: { root: '@', segments: [] } };

function toSegment(step: PathStep): Segment {
  switch (step.kind) {
    case 'key': {
      const style = parseShorthandName(new Scanner(step.name)) === step.name ? 'dot' : 'brackets';
      return { isDescendant: false, style, selectors: [{ kind: 'name', name: step.name }] };
    }
    case 'index':
      return { isDescendant: false, style: 'brackets', selectors: [step] };
    case 'filter':
      return {
        isDescendant: false,
        style: 'brackets',
        selectors: [{ kind: 'filter', condition: toCondition(step) }],
      };
    default:
      return assertNever(step);
  }
}

function toCondition({ operator, text }: Extract<PathStep, { readonly kind: 'filter' }>): Condition {
  const pattern = text.replaceAll(/[\\^$.|?*+()[\]{}]/gu, String.raw`\$&`);
  switch (operator) {
    case '==':
    case '!=':
      return { kind: 'comparison', operator, left: ELEMENT, right: { kind: 'literal', value: text } };
    case '^==':
      return search(`^${pattern}`);
    case '==^':
      return search(`${pattern}$`);
    case '*==':
      return search(pattern);
    default:
      return assertNever(operator);
  }
}

function search(pattern: string): Condition {
  return { kind: 'search', subject: ELEMENT, pattern: { kind: 'literal', value: pattern } };
}

// What `rowhouse check --mutate` and the tests that it starts agree on (`project.md` §6 item 4).
import { realpathSync } from 'node:fs';
import { parseJsonObject } from '../../../src/util/json-object.ts';

/** Variable of the tests' environment: a `MutationRun` in JSON. */
export const MUTATION_VARIABLE = 'ROWHOUSE_MUTATION';

export interface MutationRun {
  /** Real path of the project that is changed. */
  readonly root: string;
  /** The database that the tests copy, instead of one made from the files. */
  readonly template: string;
  /** The file to which tests append what they use, as lines of JSON; null: they do not. */
  readonly usesFile: string | null;
}

/** A test has sent a request that names a relation or function. */
export interface Use {
  /** Null if it is not known. */
  readonly role: string | null;
  readonly schema: string;
  readonly name: string;
  /** Place in the project: `tests/orders.test.js:10`. */
  readonly test: string;
}

/** @param root of the project that a test opens. @returns undefined if nothing about it is changed */
export function readMutationRun(root: string): MutationRun | undefined {
  const run = parseJsonObject(process.env[MUTATION_VARIABLE] ?? '');
  if (run === undefined || run['root'] !== realpathSync(root)) return undefined;
  const { template, usesFile } = run;
  if (typeof template !== 'string') throw new Error(`The variable ${MUTATION_VARIABLE} is not valid.`);
  return { root: run['root'], template, usesFile: typeof usesFile === 'string' ? usesFile : null };
}

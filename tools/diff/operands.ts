// What `rowhouse diff` compares: a folder, and a database, a snapshot or its migrations (`project.md` §3 item 1).
import { existsSync } from 'node:fs';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { isFolder, isUri } from '../command-line/operands.ts';

/** `migrations` stands for the state that those of the folder produce; without any, an empty database. */
export type Target =
  | { readonly kind: 'database'; readonly uri: string }
  | { readonly kind: 'snapshot'; readonly file: string }
  | { readonly kind: 'migrations' };

export interface Places {
  readonly folder: string;
  readonly target: Target;
}

/** Sorts operands by what they name. An error never repeats a URI, which may contain a password. */
export function sortOperands(operands: readonly string[]): Result<Places, string> {
  const folders = operands.filter((operand) => !isUri(operand) && isFolder(operand));
  const targets = operands.filter((operand) => !folders.includes(operand));
  if (folders.length > 1 || targets.length > 1)
    return fail('diff compares one folder with one database or one snapshot file');
  const [folder = '.'] = folders;
  const [target] = targets;
  if (target !== undefined && isUri(target)) return ok({ folder, target: { kind: 'database', uri: target } });
  if (target !== undefined)
    return existsSync(target)
      ? ok({ folder, target: { kind: 'snapshot', file: target } })
      : fail(`${target} is neither a folder, nor a snapshot file, nor a URI`);
  return ok({ folder, target: { kind: 'migrations' } });
}

// The arguments of the commands that change a database: `migrate` and `deploy`.
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { Given } from '../command-line/command.ts';
import { isUri } from '../command-line/operands.ts';

const DEFAULT_LOCK_TIMEOUT = '5s';

export const LOCK_TIMEOUT = {
  '--lock-timeout TIME': `How long a statement waits for a lock before it is tried again: 500ms, 5s (default: ${DEFAULT_LOCK_TIMEOUT})`,
};

interface Target {
  readonly folder: string;
  readonly uri: string;
  /** In milliseconds. */
  readonly lockTimeout: number;
}

/** Reads a folder, the URI of a database, and how long to wait for locks there. */
export function readTarget(
  command: 'deploy' | 'migrate',
  { operands, value }: Pick<Given<typeof LOCK_TIMEOUT>, 'operands' | 'value'>,
): Result<Target, string> {
  const [uri, ...otherUris] = operands.filter(isUri);
  const [folder = '.', ...otherFolders] = operands.filter((operand) => !isUri(operand));
  if (uri === undefined || otherUris.length > 0 || otherFolders.length > 0)
    return fail(
      `${command} requires the URI of one database, such as postgres://owner@localhost/app, and at most one folder`,
    );
  const lockTimeout = readTime(value('lock-timeout') ?? DEFAULT_LOCK_TIMEOUT);
  if (lockTimeout === undefined) return fail('--lock-timeout requires a time with a unit: 500ms, 5s, 1min');
  return ok({ folder, uri, lockTimeout });
}

const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, min: 60_000 };

/** Returns milliseconds; undefined if the text is no positive integer with a unit. */
function readTime(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,6})(ms|s|min)$/u.exec(text) ?? [];
  return Number(digits) * (MILLISECONDS[unit] ?? 0) || undefined;
}

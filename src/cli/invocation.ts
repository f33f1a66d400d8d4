// Arguments → the command, and the dialect that goes with any of them.
import { type DialectName, DIALECTS } from '../contract/dialect.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { type Command, parseArgs } from './args.ts';

export interface Invocation {
  readonly command: Command;
  /** Undefined: as environment and file say. */
  readonly dialect: DialectName | undefined;
}

const OPTION = '--dialect';

/** `args` without interpreter and program; an error is a message to print above the usage. */
export function parseInvocation(args: readonly string[]): Result<Invocation, string> {
  const end = args.indexOf('--');
  const beforeEnd = end === -1 ? args : args.slice(0, end);
  const own: string[] = [];
  let dialect: DialectName | undefined;
  for (let index = 0; index < beforeEnd.length; index += 1) {
    const argument = beforeEnd[index] ?? '';
    if (argument !== OPTION && !argument.startsWith(`${OPTION}=`)) {
      own.push(argument);
      continue;
    }
    const text = argument === OPTION ? beforeEnd[(index += 1)] : argument.slice(OPTION.length + 1);
    const named = Object.values(DIALECTS).find(({ name }) => name === text);
    if (named === undefined) return fail(`${OPTION} needs one of ${Object.keys(DIALECTS).join(', ')}`);
    dialect = named.name;
  }
  const command = parseArgs([...own, ...args.slice(beforeEnd.length)]);
  return command.ok ? ok({ command: command.value, dialect }) : command;
}

import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { CheckOptions } from '../check/run-check.ts';
import type { MutateOptions } from '../check/run-mutants.ts';
import { CHECK_FORMATS } from '../command-line/choices.ts';
import { type Command, defineCommand } from '../command-line/command.ts';
import { isUri } from '../command-line/operands.ts';

export const check: Command = defineCommand({
  name: 'check',
  operands: '[DIR | URI] [-- COMMAND]',
  doc: 'Examine a folder of SQL files, or a database: whether the files run, and what its tables, policies, views and functions leave open; exits with 1 for a warning, 2 for an error, 3 if the check could not run',
  flags: {
    '--types FILE': 'Also check that this file, made by `types`, is up to date',
    '--probe-writes':
      'With a URI: prove findings by writes too, which are rolled back; triggers run. In a folder, this is always so',
    '--mutate':
      'Instead, change one policy or grant at a time, run COMMAND, and report the changes that no test notices',
    '--format NAME': `How to report: ${CHECK_FORMATS.join(', ')} (default: text)`,
    '--json': 'The same as --format json',
  },
  failure: 3,
  read({ operands, trailing = [], has, value }): Result<CheckOptions | MutateOptions, string> {
    const own = has('mutate') ? operands.slice(0, operands.length - trailing.length) : operands;
    const [operand = '.', ...others] = own;
    if (others.length > 0) return fail('check accepts one folder or the URI of one database');
    const given = value('format') ?? (has('json') ? 'json' : 'text');
    const format = CHECK_FORMATS.find((known) => known === given);
    if (format === undefined) return fail(`--format requires one of ${CHECK_FORMATS.join(', ')}`);
    const typesFile = value('types');
    const hasWriteProbes = has('probe-writes');
    if (hasWriteProbes && !isUri(operand)) return fail('--probe-writes requires the URI of a database');
    if (has('mutate')) {
      const [program, ...rest] = trailing;
      if (program === undefined) return fail('--mutate requires the command that runs the tests: --mutate -- npm test');
      if (isUri(operand)) return fail('--mutate requires a folder');
      if (typesFile !== undefined) return fail('--types does not work with --mutate');
      return ok({ kind: 'mutate', folder: operand, format, tests: [program, ...rest] });
    }
    if (isUri(operand) && typesFile !== undefined) return fail('--types requires a folder');
    const subject: CheckOptions['subject'] = isUri(operand)
      ? { kind: 'database', uri: operand, hasWriteProbes }
      : { kind: 'project', folder: operand };
    return ok({ kind: 'check', subject, format, typesFile });
  },
  async run(options) {
    if (options.kind === 'mutate') return (await import('../check/run-mutants.ts')).runMutants(options);
    return (await import('../check/run-check.ts')).check(options);
  },
});

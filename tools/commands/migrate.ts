import { fail, ok } from '../../src/contract/result.ts';
import { type Command, defineCommand } from '../command-line/command.ts';
import { LOCK_TIMEOUT, readTarget } from './target.ts';

export const migrate: Command = defineCommand({
  name: 'migrate',
  operands: '[DIR] URI',
  doc: 'Apply the pending files of migrations/ to a database, each in its own transaction; exits with 0 if all are applied, 2 if something could not run',
  flags: {
    '--status': 'List the migrations and whether they are applied',
    '--dry-run': 'Run the pending migrations, roll them back, and name those that could not run',
    '--baseline NAME': 'Record the migrations up to this one as applied without running them',
    ...LOCK_TIMEOUT,
  },
  failure: 2,
  read(given) {
    const target = readTarget('migrate', given);
    if (!target.ok) return target;
    const name = given.value('baseline');
    const [action = { kind: 'apply' } as const, ...others] = [
      ...(given.has('status') ? [{ kind: 'status' } as const] : []),
      ...(given.has('dry-run') ? [{ kind: 'dryRun' } as const] : []),
      ...(name === undefined ? [] : [{ kind: 'baseline', name } as const]),
    ];
    if (others.length > 0) return fail('Specify only one of --status, --dry-run and --baseline');
    return ok({ ...target.value, action });
  },
  run: async (options) => (await import('../migrate/run-migrate.ts')).migrate(options),
});

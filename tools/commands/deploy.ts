import { fail, ok } from '../../src/contract/result.ts';
import { type Command, defineCommand } from '../command-line/command.ts';
import { LOCK_TIMEOUT, readTarget } from './target.ts';

export const deploy: Command = defineCommand({
  name: 'deploy',
  operands: '[DIR] URI',
  doc: 'Bring a database to the state of a project: show the plan, then create missing roles, set the password of the login role, apply migrations/ and check the result; exits with 0, 1 if the check finds an error, or 2 if something could not run',
  flags: {
    '--yes': 'Do it without asking, for CI',
    '--dry-run': 'Show the plan, run the pending migrations and roll them back; change nothing',
    '--password-file FILE':
      'File with the password of the login role (default: the variable ROWHOUSE_LOGIN_PASSWORD, or a prompt where it is needed)',
    ...LOCK_TIMEOUT,
  },
  failure: 2,
  read(given) {
    const target = readTarget('deploy', given);
    if (!target.ok) return target;
    const { has, value } = given;
    if (has('yes') && has('dry-run')) return fail('Specify only one of --yes and --dry-run');
    const mode: 'ask' | 'run' | 'dryRun' = has('dry-run') ? 'dryRun' : has('yes') ? 'run' : 'ask';
    return ok({ ...target.value, mode, passwordFile: value('password-file') });
  },
  run: async (options) => (await import('../deploy/run-deploy.ts')).deploy(options),
});

import { fail, ok } from '../../src/contract/result.ts';
import { type Command, defineCommand } from '../command-line/command.ts';

const API_FLAGS = ['log', 'recorded-at', 'json'] as const;
const SCHEMA_FLAGS = ['write', 'allow-loss', 'omit-secrets', 'check'] as const;

export const diff: Command = defineCommand({
  name: 'diff',
  operands: '[DIR] [URI|SNAPSHOT]',
  doc: 'Show the SQL that brings a database to the schema of a folder of SQL files, or what its clients notice; exits with 0, or 1 if --check finds a difference, a loss is not allowed or a client breaks, or 2 if the comparison could not run',
  flags: {
    '--write NAME': 'Write the SQL to migrations/NNNN_NAME.sql',
    '--allow-loss': 'Write a migration that loses data',
    '--omit-secrets': 'Write a migration without passwords of foreign servers, which you set by hand',
    '--check': 'Print nothing; exit with 1 if there is a difference',
    '--api': 'Compare the APIs: what breaks clients, what may surprise them, and what is new',
    '--log FILE': 'With --api: count the requests of an access log or HAR file that notice each change',
    '--recorded-at URL': 'URL of the API when the log was recorded (default: the root of any server)',
    '--json': 'With --api: report as JSON',
  },
  failure: 2,
  read({ operands, has, value }) {
    const isApi = has('api');
    const foreign = (isApi ? SCHEMA_FLAGS : API_FLAGS).find(has);
    if (foreign !== undefined) return fail(`--${foreign} ${isApi ? 'does not work with' : 'requires'} --api`);
    const recordedAt = value('recorded-at');
    if (recordedAt !== undefined && !URL.canParse(recordedAt))
      return fail('--recorded-at requires a URL: --recorded-at=https://api.example.com');
    const name = value('write');
    if (name !== undefined && !/^[\w-]{1,100}$/u.test(name))
      return fail('--write requires a name of letters, digits, - and _, such as --write=add_orders');
    if (name !== undefined && has('check')) return fail('Specify only one of --write and --check');
    const api = {
      kind: 'api',
      log: value('log'),
      recordedAt: recordedAt === undefined ? undefined : new URL(recordedAt),
      isJson: has('json'),
    } as const;
    const schema = {
      kind: 'schema',
      name,
      isCheck: has('check'),
      isLossAllowed: has('allow-loss'),
      areSecretsOmitted: has('omit-secrets'),
    } as const;
    return ok({ operands, action: isApi ? api : schema });
  },
  run: async (options) => (await import('../diff/run-diff.ts')).diff(options),
});

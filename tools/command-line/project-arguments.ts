// Reads the arguments of the commands of a project: `check`, `deploy`, `diff`, `migrate` and `new`.
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { CheckFormat, CommandOf, DiffAction, TemplateName } from './command.ts';
import type { Flag } from './flags.ts';
import type { Arguments } from './arguments.ts';

const DEFAULT_LOCK_TIMEOUT = '5s';

const LOCK_TIMEOUT_FLAG: Flag = {
  name: 'lock-timeout',
  value: 'TIME',
  doc: `How long a statement waits for a lock before it is tried again: 500ms, 5s (default: ${DEFAULT_LOCK_TIMEOUT})`,
};

export const MIGRATE_FLAGS: readonly Flag[] = [
  { name: 'status', doc: 'List the migrations and whether they are applied' },
  { name: 'dry-run', doc: 'Run the pending migrations, roll them back, and name those that could not run' },
  { name: 'baseline', value: 'NAME', doc: 'Record the migrations up to this one as applied without running them' },
  LOCK_TIMEOUT_FLAG,
];

export const DEPLOY_FLAGS: readonly Flag[] = [
  { name: 'yes', doc: 'Do it without asking, for CI' },
  { name: 'dry-run', doc: 'Show the plan, run the pending migrations and roll them back; change nothing' },
  {
    name: 'password-file',
    value: 'FILE',
    doc: 'File with the password of the login role (default: the variable ROWHOUSE_LOGIN_PASSWORD, or a prompt where it is needed)',
  },
  LOCK_TIMEOUT_FLAG,
];

export const TEMPLATE_NAMES: readonly TemplateName[] = ['todo', 'shop', 'chat', 'tenants', 'tasks-live'];

export const NEW_FLAGS: readonly Flag[] = [
  {
    name: 'template',
    value: 'NAME',
    doc: `What to begin with: ${TEMPLATE_NAMES.join(', ')} (default: ${TEMPLATE_NAMES[0]})`,
  },
];

export function readNewArguments({ operands, values }: Arguments): Result<CommandOf<'new'>, string> {
  const [name] = operands;
  if (name === undefined || name.trim() === '' || operands.length > 1)
    return fail('new requires the name of one folder');
  const given = values.get('template')?.at(-1) ?? 'todo';
  const template = TEMPLATE_NAMES.find((known) => known === given);
  return template === undefined
    ? fail(`--template requires one of ${TEMPLATE_NAMES.join(', ')}`)
    : ok({ kind: 'new', name, template });
}

export const DIFF_FLAGS: readonly Flag[] = [
  { name: 'write', value: 'NAME', doc: 'Write the SQL to migrations/NNNN_NAME.sql' },
  { name: 'allow-loss', doc: 'Write a migration that loses data' },
  { name: 'omit-secrets', doc: 'Write a migration without passwords of foreign servers, which you set by hand' },
  { name: 'check', doc: 'Print nothing; exit with 1 if there is a difference' },
  { name: 'api', doc: 'Compare the APIs: what breaks clients, what may surprise them, and what is new' },
  {
    name: 'log',
    value: 'FILE',
    doc: 'With --api: count the requests of an access log or HAR file that notice each change',
  },
  {
    name: 'recorded-at',
    value: 'URL',
    doc: 'URL of the API when the log was recorded (default: the root of any server)',
  },
  { name: 'json', doc: 'With --api: report as JSON' },
];

const API_FLAGS = ['log', 'recorded-at', 'json'];
const SCHEMA_FLAGS = ['write', 'allow-loss', 'omit-secrets', 'check'];

export function readDiffArguments(given: Arguments): Result<CommandOf<'diff'>, string> {
  const { operands, values, switches } = given;
  const isApi = switches.has('api');
  const foreign = (isApi ? SCHEMA_FLAGS : API_FLAGS).find((name) => switches.has(name) || values.has(name));
  if (foreign !== undefined) return fail(`--${foreign} ${isApi ? 'does not work with' : 'requires'} --api`);
  const action = isApi ? readApiAction(given) : readSchemaAction(given);
  return action.ok ? ok({ kind: 'diff', operands, action: action.value }) : action;
}

function readApiAction({ values, switches }: Arguments): Result<DiffAction, string> {
  const recordedAt = values.get('recorded-at')?.at(-1);
  if (recordedAt !== undefined && !URL.canParse(recordedAt))
    return fail('--recorded-at requires a URL: --recorded-at=https://api.example.com');
  return ok({
    kind: 'api',
    log: values.get('log')?.at(-1),
    recordedAt: recordedAt === undefined ? undefined : new URL(recordedAt),
    isJson: switches.has('json'),
  });
}

function readSchemaAction({ values, switches }: Arguments): Result<DiffAction, string> {
  const name = values.get('write')?.at(-1);
  const isCheck = switches.has('check');
  if (name !== undefined && !/^[\w-]{1,100}$/u.test(name))
    return fail('--write requires a name of letters, digits, - and _, such as --write=add_orders');
  if (name !== undefined && isCheck) return fail('Specify only one of --write and --check');
  const [isLossAllowed, areSecretsOmitted] = [switches.has('allow-loss'), switches.has('omit-secrets')];
  return ok({ kind: 'schema', name, isCheck, isLossAllowed, areSecretsOmitted });
}

const CHECK_FORMATS: readonly CheckFormat[] = ['text', 'json', 'github'];

export const CHECK_FLAGS: readonly Flag[] = [
  { name: 'types', value: 'FILE', doc: 'Also check that this file, made by `types`, is up to date' },
  {
    name: 'probe-writes',
    doc: 'With a URI: prove findings by writes too, which are rolled back; triggers run. In a folder, this is always so',
  },
  {
    name: 'mutate',
    doc: 'Instead, change one policy or grant at a time, run COMMAND, and report the changes that no test notices',
  },
  { name: 'format', value: 'NAME', doc: `How to report: ${CHECK_FORMATS.join(', ')} (default: text)` },
  { name: 'json', doc: 'The same as --format json' },
];

export function readCheckArguments({
  operands,
  trailing = [],
  values,
  switches,
}: Arguments): Result<CommandOf<'check' | 'mutate'>, string> {
  const isMutating = switches.has('mutate');
  const own = isMutating ? operands.slice(0, operands.length - trailing.length) : operands;
  const [operand = '.', ...others] = own;
  if (others.length > 0) return fail('check accepts one folder or the URI of one database');
  const given = values.get('format')?.at(-1) ?? (switches.has('json') ? 'json' : 'text');
  const format = CHECK_FORMATS.find((known) => known === given);
  if (format === undefined) return fail(`--format requires one of ${CHECK_FORMATS.join(', ')}`);
  const typesFile = values.get('types')?.at(-1);
  const hasWriteProbes = switches.has('probe-writes');
  if (hasWriteProbes && !isUri(operand)) return fail('--probe-writes requires the URI of a database');
  if (isMutating) {
    const [program, ...rest] = trailing;
    if (program === undefined) return fail('--mutate requires the command that runs the tests: --mutate -- npm test');
    if (isUri(operand)) return fail('--mutate requires a folder');
    if (typesFile !== undefined) return fail('--types does not work with --mutate');
    return ok({ kind: 'mutate', folder: operand, format, tests: [program, ...rest] });
  }
  if (isUri(operand) && typesFile !== undefined) return fail('--types requires a folder');
  const subject = isUri(operand)
    ? ({ kind: 'database', uri: operand, hasWriteProbes } as const)
    : ({ kind: 'project', folder: operand } as const);
  return ok({ kind: 'check', subject, format, typesFile });
}

export function readMigrateArguments({ operands, values, switches }: Arguments): Result<CommandOf<'migrate'>, string> {
  const place = readPlace('migrate', operands, values);
  if (!place.ok) return place;
  const baseline = values.get('baseline')?.at(-1);
  const modes = [
    ...(switches.has('status') ? [{ kind: 'status' } as const] : []),
    ...(switches.has('dry-run') ? [{ kind: 'dryRun' } as const] : []),
    ...(baseline === undefined ? [] : [{ kind: 'baseline', name: baseline } as const]),
  ];
  if (modes.length > 1) return fail('Specify only one of --status, --dry-run and --baseline');
  return ok({ kind: 'migrate', ...place.value, action: modes[0] ?? { kind: 'apply' } });
}

export function readDeployArguments({ operands, values, switches }: Arguments): Result<CommandOf<'deploy'>, string> {
  const place = readPlace('deploy', operands, values);
  if (!place.ok) return place;
  const [isAccepted, isDry] = [switches.has('yes'), switches.has('dry-run')];
  if (isAccepted && isDry) return fail('Specify only one of --yes and --dry-run');
  const mode = isDry ? 'dryRun' : isAccepted ? 'run' : 'ask';
  return ok({ kind: 'deploy', ...place.value, mode, passwordFile: values.get('password-file')?.at(-1) });
}

/** Reads a folder, the URI of a database, and how long to wait for locks there. */
function readPlace(
  command: 'deploy' | 'migrate',
  operands: Arguments['operands'],
  values: Arguments['values'],
): Result<Pick<CommandOf<'migrate'>, 'folder' | 'uri' | 'lockTimeout'>, string> {
  const uris = operands.filter(isUri);
  const folders = operands.filter((operand) => !isUri(operand));
  const [uri] = uris;
  if (uri === undefined || uris.length > 1 || folders.length > 1)
    return fail(
      `${command} requires the URI of one database, such as postgres://owner@localhost/app, and at most one folder`,
    );
  const lockTimeout = readTime(values.get('lock-timeout')?.at(-1) ?? DEFAULT_LOCK_TIMEOUT);
  if (lockTimeout === undefined) return fail('--lock-timeout requires a time with a unit: 500ms, 5s, 1min');
  return ok({ folder: folders[0] ?? '.', uri, lockTimeout });
}

/** Accepts any scheme, so that a misspelled one can be reported. */
export function isUri(operand: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:\/\/|postg\w*:)/iu.test(operand);
}

const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, min: 60_000 };

/** Returns milliseconds; undefined if the text is no positive integer with a unit. */
function readTime(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,6})(ms|s|min)$/u.exec(text) ?? [];
  return Number(digits) * (MILLISECONDS[unit] ?? 0) || undefined;
}

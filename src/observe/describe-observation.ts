// Renders observations as lines of the diagnostic log (`operating.md` §10.5), with their severity and the `log-level`
// from which they are written.
import type { LogLevel } from '../config/table/app-config.ts';
import type { Product } from '../contract/product.ts';
import type { ApiError } from '../errors/api-error.ts';
import { type RenderedError, renderErrorBody } from '../errors/render-error.ts';
import type { Observation, PoolActivity } from './observation.ts';

export interface Description {
  /** Reported as the level of JSON lines. */
  readonly severity: LogLevel;
  readonly threshold: LogLevel;
  readonly lines: readonly string[];
}

/** Server properties that the texts depend on. */
export interface MessageContext {
  readonly product: Product;
  readonly describeError: (error: ApiError) => RenderedError;
}

type Kind = Observation['kind'];
type Observations = { readonly [K in Kind]: Extract<Observation, { kind: K }> };
type ObservationOf<K extends Kind> = { [P in K]: Observations[P] & { readonly kind: P } }[K];

export function describeObservation<K extends Kind>(
  observation: ObservationOf<K>,
  context: MessageContext,
): Description {
  const describe: (observation: Observations[K], context: MessageContext) => Description =
    DESCRIPTIONS[observation.kind];
  return describe(observation, context);
}

const DESCRIPTIONS: { readonly [K in Kind]: (observation: Observations[K], context: MessageContext) => Description } = {
  starting: (_, { product }) => notice(`Starting ${product.name} ${product.version}...`),
  listening: (o) => notice(`${o.server} server listening on ${o.address}`),
  cannotListen: (o) => fatal(`${o.server} server cannot listen: ${o.reason}`),
  adminCrashed: (o) => fatal(`Admin server crashed unexpectedly: ${o.reason}`),
  signalReceived: (o) => notice(`Received termination unix signal ${o.signal}`),
  shutdownCutOff: (o) =>
    warning(
      `Requests cut off at shutdown: ${o.requests}. They were idle or took longer than server-shutdown-grace ` +
        `(${o.seconds} seconds)`,
    ),
  workersChosen: ({ count, cores, pool }) =>
    notice(
      `Requests are answered by ${count === 1 ? 'this process' : `${count} workers`} (server-workers = auto: half of ` +
        `the cores, ${Math.round(cores * 100) / 100}, and at most a third of db-pool, ${pool})`,
    ),
  workersStarted: ({ pids }) => notice(`Requests are answered by ${pids.length} workers: processes ${pids.join(', ')}`),
  poolIndivisible: (o) =>
    warning(
      `db-pool (${o.size}) cannot be divided among ${o.workers} workers: each may open one connection, ${o.workers} in total`,
    ),
  workerEnded: (o) =>
    failure(
      `Worker ${o.worker} (process ${o.pid}) ended with ${o.cause}. A new worker starts ` +
        (o.seconds === 0 ? 'now' : `in ${o.seconds} seconds`),
    ),
  workerReplaced: (o) => notice(`Worker ${o.worker} is replaced (process ${o.pid})`),
  workersUnstartable: (o) => fatal(`Workers cannot be started: the last one ended with ${o.cause}`),
  databaseReached: (o) => notice(`Successfully connected to ${joinLines(o.version)}`),
  poolInitialized: (o) => notice(`Connection Pool initialized with a maximum size of ${o.size} connections`),
  connectionLimitReached: (o, context) =>
    warning(
      `Failed to open another connection. The pool continues with the existing ones. ${errorJson(o.error, context)}`,
    ),
  connectionUnusable: (o) => fatal(`Cannot connect to the database: ${o.reason}. Check db-uri and PG* variables.`),
  versionQueryFailed: (o, context) => failure(`Failed to query the PostgreSQL version. ${errorJson(o.error, context)}`),
  databaseNotNamed: (_, { product }) => fatal(`db-uri is not set; \`${product.token} --demo\` to look around`),
  operatorActionNeeded: (o) => warning(`No retry mends this: ${o.remedy}`),
  reconnecting: (o) => warning(`Attempting to reconnect to the database in ${o.seconds} seconds...`),
  recoveryDisabled: () => fatal('Automatic recovery disabled, exiting.'),
  versionTooOld: (o, { product }) =>
    fatal(`Cannot run in this PostgreSQL version (${o.version}), ${product.name} needs at least ${o.minimum}`),
  credentialsRefused: (o) => fatal(`Failed to establish a connection. ${failureJson(o.failure)}`),
  statementExists: (o) =>
    fatal(
      'If you are using connection poolers in transaction mode, try setting db-prepared-statements to false. ' +
        failureJson(o.failure),
    ),
  statementPooling: (o) => fatal(`Connection poolers in statement mode are not supported.${failureJson(o.failure)}`),
  internalError: (o, { product }) =>
    fatal(`This is probably a bug in ${product.name}, please report it. ${failureJson(o.failure)}`),
  replicaJoined: (o) => notice(`Replica ${o.replica} gets reads`),
  replicaLeft: (o) => warning(`Replica ${o.replica} gets no reads: ${joinLines(o.reason)}`),
  foreignEnvironment: ({ read, dialect }) =>
    notice(
      `No ${dialect.environmentPrefix} variables are set: the configuration is read from ${read} variables, in the ` +
        `dialect ${dialect.name}`,
    ),
  issuerKeysLoaded: (o) =>
    notice(`Loaded ${o.count === 1 ? '1 key that verifies' : `${o.count} keys that verify`} tokens`),
  issuerKeysFailed: (o) =>
    warning(`${joinLines(o.reason)}. Loading the keys again in ${o.seconds} ${o.seconds === 1 ? 'second' : 'seconds'}`),
  configDoubtful: (o) => warning(`Ignored: ${joinLines(o.complaint)}`),
  configReloaded: () => notice('Config reloaded'),
  configRefused: (o) => failure(`Failed reloading config: ${joinLines(o.message)}`),
  databaseSettingsFailed: (o, context) =>
    failure(`Failed to query database settings for the config parameters.${errorJson(o.error, context)}`),
  roleSettingsFailed: (o, context) => failure(`Failed to query the role settings. ${errorJson(o.error, context)}`),
  rolePathDeprecated: (o) =>
    warning(
      `WARNING: The config \`jwt-role-claim-key=${o.path}\` is using the deprecated JSPath syntax.`,
      `Update \`jwt-role-claim-key=${o.path}\` to the new JSONPath syntax as support for JSPath will be removed in a future release. ` +
        `Write \`${o.replacement}\`, in a configuration file \`${o.replacement.replaceAll('$', '$$$$')}\`.`,
    ),
  setupIncomplete: (o) => warning(joinLines(o.text)),
  cacheQueried: (o) => notice(`Schema cache queried in ${o.milliseconds.toFixed(1)} milliseconds`),
  cacheStatementsTimed: (o) => detail(renderStatementTimes(o.milliseconds)),
  cacheLoaded: ({ summary: s, milliseconds }) =>
    notice(
      `Schema cache loaded ${s.relations} Relations, ${s.relationships} Relationships, ${s.routines} RPCs, ` +
        `${s.representations} Domain Representations, ${s.mediaHandlers} Media Type Handlers`,
      `Schema cache loaded in ${milliseconds.toFixed(1)} milliseconds`,
    ),
  cacheFailed: (o, context) =>
    failure(
      `Failed to load the schema cache using db-schemas=${o.schemas.join(',')} and ` +
        `db-extra-search-path=${o.extraSearchPath.join(',')}. ${errorJson(o.error, context)}`,
    ),
  listenerConnected: (o) =>
    notice(
      `Listener connected to ${joinLines(o.serverVersion)} on "${o.host}:${o.port}" and listening for database ` +
        `notifications on the "${o.channel}" channel`,
    ),
  liveLogOpened: () => notice('Reading the changes of rows for live responses'),
  liveLogFailed: (o, context) =>
    failure(`Failed to read the changes of rows for live responses. ${errorJson(o.error, context)}`),
  listenerFailed: (o) =>
    failure(`Failed listening for database notifications on the "${o.channel}" channel. ${joinLines(o.reason)}`),
  listenerRetrying: (o) => warning(`Retrying listening for database notifications in ${o.seconds} seconds...`),
  notificationQueueDamaged: () =>
    failure(
      'This is likely a PostgreSQL bug in the notification queue, executing the following to try to solve it: ' +
        'SELECT pg_notification_queue_usage();',
    ),
  reloadNotified: (o) => notice(`Received a ${o.subject} reload message on the "${o.channel}" channel`),
  tokenBare: (o) => ({
    severity: 'warn',
    threshold: 'warn',
    lines: [`The token of ${o.method} ${o.target} was ignored. Send "Authorization: Bearer TOKEN"`],
  }),
  handlerCrashed: (o) => ({ severity: 'error', threshold: 'error', lines: o.reason.split('\n') }),
  answerBroken: (o) => ({
    severity: 'error',
    threshold: 'error',
    lines: [`The response to ${o.method} ${o.target} was cut off. ${failureJson(o.failure)}`],
  }),
  connectionFailed: (o) => detail(`HTTP connection failed: ${joinLines(o.reason)}`),
  poolActive: (o) => detail(POOL_ACTIVITIES[o.activity]),
  connectionActive: (o) => detail(`Connection ${o.connection} ${o.activity}`),
  tokenLookedUp: () => detail('Looked up a JWT in JWT cache'),
  tokenEvicted: () => detail('Evicted entry from JWT cache'),
};

const POOL_ACTIVITIES: Readonly<Record<PoolActivity, string>> = {
  borrowing: 'Trying to borrow a connection from pool',
  borrowed: 'Borrowed a connection from the pool',
  flushed: 'Database connection pool flushed',
};

function notice(...lines: readonly string[]): Description {
  return { severity: 'info', threshold: 'crit', lines };
}

function warning(...lines: readonly string[]): Description {
  return { severity: 'warn', threshold: 'crit', lines };
}

function failure(line: string): Description {
  return { severity: 'error', threshold: 'crit', lines: [line] };
}

/** The process terminates. */
function fatal(line: string): Description {
  return { severity: 'crit', threshold: 'crit', lines: [line] };
}

function detail(line: string): Description {
  return { severity: 'debug', threshold: 'debug', lines: [line] };
}

function errorJson(error: ApiError, { describeError }: MessageContext): string {
  return failureJson(describeError(error));
}

/** Always includes all details, regardless of what clients see. */
function failureJson(failed: RenderedError): string {
  return renderErrorBody(failed, 'verbose');
}

function joinLines(text: string): string {
  return text.trim().replaceAll(/\s*[\r\n]+\s*/gu, ' ');
}

/** Log label and the load statements it covers. Computed relationships are loaded with the functions. */
const PARTS: readonly (readonly [label: string, statements: readonly string[]])[] = [
  ['tables', ['schemas', 'relations', 'columns', 'database']],
  ['keydeps', ['keys', 'constraintComments', 'views']],
  ['rels', ['foreignKeys']],
  ['funcs', ['routines', 'rowTypes']],
  ['comprels', []],
  ['dreps', ['representations']],
  ['mhandlers', ['mediaHandlers']],
];

/**
 * Renders the durations of the parts of a schema cache load (`operating.md` §10.5), with labels known to operators.
 *
 * @param milliseconds by statement name
 */
function renderStatementTimes(milliseconds: ReadonlyMap<string, number>): string {
  return PARTS.map(([label, statements]) => {
    const sum = statements.reduce((total, name) => total + (milliseconds.get(name) ?? 0), 0);
    return `${label}: ${sum.toFixed(1)} ms`;
  }).join(', ');
}

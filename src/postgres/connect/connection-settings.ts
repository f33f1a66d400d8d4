// Resolves connection parameters and PG* environment variables into complete connection settings. Pure.
// https://www.postgresql.org/docs/current/libpq-envars.html
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ConnectionParameters } from './connection-string.ts';
import { parseHostTargets, type HostTarget } from './host-targets.ts';
import type { SocketTuning } from './tune-socket.ts';

export type TlsMode = (typeof TLS_MODES)[number];
export type TargetSession = (typeof TARGET_SESSIONS)[number];

export interface TlsSettings {
  readonly mode: TlsMode;
  readonly negotiation: 'postgres' | 'direct';
  /** Paths of PEM files; `system` as the root certificate means the certificates that Node trusts. */
  readonly rootCertificate: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  readonly revocationList: string | undefined;
  readonly keyPassword: string | undefined;
  readonly minVersion: string | undefined;
  readonly maxVersion: string | undefined;
  /** Whether to use SCRAM channel binding where the server offers it. */
  readonly isChannelBound: boolean;
}

/** Intervals of connection liveness checks, in milliseconds. */
export interface Liveness {
  /** Idle time after which a connection is checked. */
  readonly intervalMs: number;
  /** Timeout for requests that a healthy server answers immediately. */
  readonly timeoutMs: number;
}

export interface ConnectionSettings {
  /** Never empty; tried in this order. */
  readonly hosts: readonly HostTarget[];
  readonly areHostsShuffled: boolean;
  readonly targetSession: TargetSession;
  readonly user: string;
  readonly database: string;
  readonly password: string | undefined;
  /** Password file to search if no password is given. */
  readonly passwordFile: string | undefined;
  readonly applicationName: string;
  readonly options: string | undefined;
  /** Milliseconds per host; 0 disables the timeout. */
  readonly connectTimeout: number;
  /** Milliseconds that the TCP connection may take. */
  readonly reachTimeout: number;
  readonly hasKeepAlive: boolean;
  readonly liveness: Liveness;
  readonly tuning: SocketTuning;
  readonly tls: TlsSettings;
}

export interface ConnectionEnvironment {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Operating system user; `undefined` if unknown. */
  readonly userName: string | undefined;
  /** Socket directory or host name to use if the connection string names none. */
  readonly defaultHost: string;
  readonly fallbackApplicationName: string;
}

type Lookup = (name: string) => string | undefined;

const TLS_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
const TARGET_SESSIONS = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;

/** In milliseconds. Equals the server's default `authentication_timeout`. */
const DEFAULT_CONNECT_TIMEOUT_MS = 60_000;
/** Tolerates the loss of two packets, and is short enough to reconnect soon after the host is back. */
const DEFAULT_REACH_TIMEOUT_MS = 4000;
/** Default of `keepalives_idle` in seconds. Operating systems default to two hours. */
const DEFAULT_INTERVAL_SECONDS = 10;
/** Default of `tcp_user_timeout` in milliseconds. Operating systems default to a quarter of an hour. */
const DEFAULT_TIMEOUT_MS = 5000;
const MAX_TIMER_MS = 2 ** 31 - 1;
/** In seconds. Like libpq, treats a shorter timeout as two seconds. */
const MIN_CONNECT_TIMEOUT_SECONDS = 2;

const VARIABLES: Readonly<Record<string, string>> = {
  host: 'PGHOST',
  hostaddr: 'PGHOSTADDR',
  port: 'PGPORT',
  dbname: 'PGDATABASE',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  passfile: 'PGPASSFILE',
  application_name: 'PGAPPNAME',
  options: 'PGOPTIONS',
  sslmode: 'PGSSLMODE',
  sslnegotiation: 'PGSSLNEGOTIATION',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  sslcrl: 'PGSSLCRL',
  ssl_min_protocol_version: 'PGSSLMINPROTOCOLVERSION',
  ssl_max_protocol_version: 'PGSSLMAXPROTOCOLVERSION',
  channel_binding: 'PGCHANNELBINDING',
  gssencmode: 'PGGSSENCMODE',
  connect_timeout: 'PGCONNECT_TIMEOUT',
  target_session_attrs: 'PGTARGETSESSIONATTRS',
  load_balance_hosts: 'PGLOADBALANCEHOSTS',
};

/** Resolves all settings. The error is a single line for the operator (`operating.md` §6.2). */
export function resolveConnectionSettings(
  parameters: ConnectionParameters,
  environment: ConnectionEnvironment,
): Result<ConnectionSettings, string> {
  // Empty values count as missing, in the connection string and in the environment.
  const lookup: Lookup = (name) => {
    const variable = VARIABLES[name];
    const ambient = variable === undefined ? undefined : environment.environment[variable];
    return parameters.get(name) || ambient || undefined;
  };
  const user = lookup('user') ?? environment.userName;
  if (user === undefined) return fail('no user name given, and the operating system reports none');
  const hosts = parseHostTargets({
    hosts: lookup('host'),
    addresses: lookup('hostaddr'),
    ports: lookup('port'),
    defaultHost: environment.defaultHost,
  });
  if (!hosts.ok) return hosts;
  const targetSession = pick(lookup, 'target_session_attrs', TARGET_SESSIONS);
  if (!targetSession.ok) return targetSession;
  const behavior = resolveBehavior(lookup);
  if (!behavior.ok) return behavior;
  return ok({
    ...behavior.value,
    hosts: hosts.value,
    areHostsShuffled: lookup('load_balance_hosts') === 'random',
    targetSession: targetSession.value ?? 'any',
    user,
    database: lookup('dbname') ?? user,
    password: lookup('password'),
    passwordFile: lookup('passfile'),
    applicationName:
      lookup('application_name') ?? lookup('fallback_application_name') ?? environment.fallbackApplicationName,
    options: lookup('options'),
  });
}

type ConnectionBehavior = Pick<
  ConnectionSettings,
  'connectTimeout' | 'reachTimeout' | 'hasKeepAlive' | 'liveness' | 'tuning' | 'tls'
>;

/** Resolves timeouts, liveness checks, socket options and TLS, which are the same for every host. */
function resolveBehavior(lookup: Lookup): Result<ConnectionBehavior, string> {
  const connectTimeout = resolveConnectTimeout(lookup);
  if (!connectTimeout.ok) return connectTimeout;
  const liveness = resolveLiveness(lookup);
  if (!liveness.ok) return liveness;
  const tuning = resolveTuning(lookup);
  if (!tuning.ok) return tuning;
  const tls = resolveTls(lookup);
  if (!tls.ok) return tls;
  return ok({
    connectTimeout: connectTimeout.value ?? DEFAULT_CONNECT_TIMEOUT_MS,
    reachTimeout: connectTimeout.value ?? DEFAULT_REACH_TIMEOUT_MS,
    hasKeepAlive: lookup('keepalives') !== '0',
    liveness: liveness.value,
    tuning: tuning.value,
    tls: tls.value,
  });
}

function resolveTls(lookup: Lookup): Result<TlsSettings, string> {
  const mode = pick(lookup, 'sslmode', TLS_MODES);
  if (!mode.ok) return mode;
  const negotiation = pick(lookup, 'sslnegotiation', ['postgres', 'direct']);
  if (!negotiation.ok) return negotiation;
  const channelBinding = pick(lookup, 'channel_binding', ['disable', 'prefer', 'require']);
  if (!channelBinding.ok) return channelBinding;
  if (channelBinding.value === 'require') return fail('channel_binding=require is not supported');
  if (lookup('gssencmode') === 'require') return fail('gssencmode=require is not supported');
  return ok({
    mode: mode.value ?? (lookup('sslrootcert') === 'system' ? 'verify-full' : 'prefer'),
    negotiation: negotiation.value ?? 'postgres',
    rootCertificate: lookup('sslrootcert'),
    certificate: lookup('sslcert'),
    key: lookup('sslkey'),
    revocationList: lookup('sslcrl'),
    keyPassword: lookup('sslpassword'),
    minVersion: lookup('ssl_min_protocol_version'),
    maxVersion: lookup('ssl_max_protocol_version'),
    isChannelBound: channelBinding.value !== 'disable',
  });
}

function resolveConnectTimeout(lookup: Lookup): Result<number | undefined, string> {
  const seconds = readInteger(lookup, 'connect_timeout');
  if (!seconds.ok || seconds.value === undefined) return seconds;
  return ok(seconds.value <= 0 ? 0 : Math.max(seconds.value, MIN_CONNECT_TIMEOUT_SECONDS) * 1000);
}

function resolveLiveness(lookup: Lookup): Result<Liveness, string> {
  const idle = readInteger(lookup, 'keepalives_idle');
  if (!idle.ok) return idle;
  const userTimeout = readInteger(lookup, 'tcp_user_timeout');
  if (!userTimeout.ok) return userTimeout;
  const intervalMs = (takePositive(idle.value) ?? DEFAULT_INTERVAL_SECONDS) * 1000;
  const timeoutMs = takePositive(userTimeout.value) ?? DEFAULT_TIMEOUT_MS;
  return ok({ intervalMs: Math.min(intervalMs, MAX_TIMER_MS), timeoutMs: Math.min(timeoutMs, MAX_TIMER_MS) });
}

function resolveTuning(lookup: Lookup): Result<SocketTuning, string> {
  const interval = readInteger(lookup, 'keepalives_interval');
  if (!interval.ok) return interval;
  const count = readInteger(lookup, 'keepalives_count');
  if (!count.ok) return count;
  const userTimeout = readInteger(lookup, 'tcp_user_timeout');
  if (!userTimeout.ok) return userTimeout;
  return ok({
    keepAliveInterval: takePositive(interval.value),
    keepAliveCount: takePositive(count.value),
    userTimeout: takePositive(userTimeout.value),
  });
}

/** Treats 0 and negative values as the default, like libpq. */
function takePositive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}

function readInteger(lookup: Lookup, name: string): Result<number | undefined, string> {
  const text = lookup(name);
  if (text === undefined) return ok(undefined);
  const value = Number(text);
  return Number.isInteger(value) ? ok(value) : fail(`invalid integer value "${text}" for connection option "${name}"`);
}

function pick<T extends string>(lookup: Lookup, name: string, allowed: readonly T[]): Result<T | undefined, string> {
  const text = lookup(name);
  if (text === undefined) return ok(undefined);
  const value = allowed.find((candidate) => candidate === text);
  return value === undefined ? fail(`invalid ${name} value: "${text}"`) : ok(value);
}

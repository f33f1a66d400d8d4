// Opens a session with the first configured host that accepts the connection and is of the requested kind.
import os from 'node:os';
import type { Product } from '../../contract/product.ts';
import { assertNever, fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import {
  resolveConnectionSettings,
  type ConnectionSettings,
  type TargetSession,
} from '../connect/connection-settings.ts';
import { parseConnectionString } from '../connect/connection-string.ts';
import { openSocket, type DriverFailure, type DriverOptions } from '../connect/driver.ts';
import { findFirstSuccess } from '../connect/first-success.ts';
import { isSocketDirectory, type HostTarget } from '../connect/host-targets.ts';
import { findDefaultHost, readPassword, readUserName } from '../connect/local-defaults.ts';
import { query } from './query.ts';
import { type PlanOptions, Session } from './session.ts';
import { loadTlsAttempts, type TlsAttempt } from '../connect/tls-options.ts';

export interface ConnectOptions {
  /** A libpq connection string, URI or key=value (`operating.md` §6.2). */
  readonly connectionString: string;
  /** PG* variables supply the parameters that the string omits. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Default of `application_name`. */
  readonly product: Product;
  /** Whether request statements are prepared by name (`operating.md` §6.8). */
  readonly isPreparing: boolean;
  /** Whether to discard plans when the role changes; false by default. */
  readonly isDiscardingPlans?: boolean;
  /** Overrides `target_session_attrs`. */
  readonly targetSession?: TargetSession;
  /** Whether to open a connection for logical replication; false by default. */
  readonly isReplicating?: boolean;
  /** Milliseconds per host; overrides `connect_timeout`. */
  readonly timeout?: number;
}

/** SQLSTATE class of failed authentication; another host would reject the user too. */
const AUTHENTICATION_CLASS = '28';
/** No entry in `pg_hba.conf` matches; using or not using TLS may help. */
const NO_ACCESS_RULE = '28000';

/** Milliseconds before the next host is tried in parallel. */
const STAGGER_MS = 250;
/** At most one host is of these kinds, so hosts may be tried in parallel without changing the result. */
const UNIQUE_KINDS: ReadonlySet<SessionKind> = new Set(['read-write', 'primary']);

interface Refusal {
  readonly reason: string;
  /** Whether another host would reject the connection too. */
  readonly isFinal: boolean;
}

/** Opens a session. Error: `cannotConnect` with the reason for each host, one per line. */
export async function connect(options: ConnectOptions): Promise<Result<Session, ApiError>> {
  const settings = await resolveSettings(options);
  if (!settings.ok) return cannotConnect([settings.error]);
  const targetSession = options.targetSession ?? settings.value.targetSession;
  const refusals: Refusal[] = [];
  for (const kind of listSessionKinds(targetSession)) {
    const hosts = orderHosts(settings.value);
    const opened = await findFirstSuccess(
      hosts.map((target) => () => openEligible({ settings: settings.value, target, options }, kind)),
      {
        stagger: UNIQUE_KINDS.has(kind) ? STAGGER_MS : undefined,
        isFinal: ({ isFinal }) => isFinal,
        onLateSuccess: (session) => void session.close(),
      },
    );
    if (opened.ok) return opened;
    refusals.push(...opened.error);
    if (opened.error.some(({ isFinal }) => isFinal)) break;
  }
  return cannotConnect(refusals.map(({ reason }) => reason));
}

interface Attempt {
  readonly settings: ConnectionSettings;
  readonly target: HostTarget;
  readonly options: ConnectOptions;
}

async function openEligible(attempt: Attempt, kind: SessionKind): Promise<Result<Session, Refusal>> {
  const { target } = attempt;
  const opened = await openSession(attempt);
  const mismatch = opened.ok ? await checkTargetSession(opened.value, kind) : opened.error.text;
  if (opened.ok && mismatch === undefined) {
    const session = opened.value;
    session.findMismatch = () => checkTargetSession(session, kind);
    return ok(session);
  }
  if (opened.ok) await opened.value.close();
  const isFinal = !opened.ok && opened.error.sqlstate?.startsWith(AUTHENTICATION_CLASS) === true;
  return fail({ reason: `connection to server at "${target.host}", port ${target.port} failed: ${mismatch}`, isFinal });
}

/** Returns an error in the settings that makes every attempt fail, or undefined if there is none. */
export async function findSettingsFault(options: SettingsSources): Promise<string | undefined> {
  const settings = await resolveSettings(options);
  if (!settings.ok) return settings.error;
  if (settings.value.hosts.every(isSocketDirectory)) return undefined;
  const tls = await loadTlsAttempts(settings.value.tls, os.homedir());
  return tls.ok ? undefined : tls.error;
}

function cannotConnect(reasons: readonly string[]): { readonly ok: false; readonly error: ApiError } {
  return fail({ kind: 'cannotConnect', details: reasons.join('\n') });
}

type SettingsSources = Pick<ConnectOptions, 'connectionString' | 'environment' | 'product'>;

async function resolveSettings(options: SettingsSources): Promise<Result<ConnectionSettings, string>> {
  const parameters = parseConnectionString(options.connectionString);
  if (!parameters.ok) return parameters;
  return resolveConnectionSettings(parameters.value, {
    environment: options.environment,
    userName: readUserName(),
    defaultHost: await findDefaultHost(),
    fallbackApplicationName: `${options.product.name} ${options.product.version}`,
  });
}

function orderHosts(settings: ConnectionSettings): readonly HostTarget[] {
  if (!settings.areHostsShuffled) return settings.hosts;
  const keyed = settings.hosts.map((target) => ({ target, key: Math.random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ target }) => target);
}

async function openSession({ settings, target, options }: Attempt): Promise<Result<Session, DriverFailure>> {
  const attempts = isSocketDirectory(target) ? ok([undefined]) : await loadTlsAttempts(settings.tls, os.homedir());
  if (!attempts.ok) return fail({ text: attempts.error, sqlstate: undefined, isTlsUnsupported: false });
  const { timeout = settings.connectTimeout, isReplicating = false } = options;
  let failure: DriverFailure = { text: 'no way to connect', sqlstate: undefined, isTlsUnsupported: false };
  for (const tls of attempts.value) {
    const opened = await openSocket(await buildDriverOptions(settings, target, { tls, timeout, isReplicating }));
    if (opened.ok)
      return ok(
        new Session({ ...opened.value, target, ...plansOf(options), liveness: settings.liveness, isReplicating }),
      );
    failure = opened.error;
    if (!failure.isTlsUnsupported && failure.sqlstate !== NO_ACCESS_RULE) break;
  }
  return fail(failure);
}

function plansOf({ isPreparing, isDiscardingPlans = false }: ConnectOptions): PlanOptions {
  return { isPreparing, isDiscardingPlans };
}

async function buildDriverOptions(
  settings: ConnectionSettings,
  target: HostTarget,
  { tls, ...options }: { readonly tls: TlsAttempt; readonly timeout: number; readonly isReplicating: boolean },
): Promise<DriverOptions> {
  const { user, database, passwordFile } = settings;
  const password = settings.password ?? (await readPassword(passwordFile, { ...target, database, user }));
  return {
    ...settings,
    host: target.address,
    port: target.port,
    password,
    connectTimeout: options.timeout,
    isReplicating: options.isReplicating,
    keepAliveIdle: settings.liveness.intervalMs,
    // The certificate contains the host name, even if the connection uses `hostaddr`.
    tls: tls === undefined || target.host === target.address ? tls : { ...tls, servername: target.host },
    tlsNegotiation: settings.tls.negotiation,
    isChannelBound: settings.tls.isChannelBound,
  };
}

type SessionKind = Exclude<TargetSession, 'prefer-standby'>;

/**
 * Returns the kinds of session to look for, in order; all hosts are tried for each.
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNECT-TARGET-SESSION-ATTRS
 */
function listSessionKinds(target: TargetSession): readonly SessionKind[] {
  return target === 'prefer-standby' ? ['standby', 'any'] : [target];
}

/** Returns why the session is not of that kind, or `undefined` if it is. */
async function checkTargetSession(session: Session, kind: SessionKind): Promise<string | undefined> {
  if (kind === 'any') return undefined;
  const reply = await query(
    session,
    `SELECT pg_catalog.pg_is_in_recovery(), pg_catalog.current_setting('transaction_read_only') = 'on'`,
  );
  if (!reply.ok) return reply.error.kind === 'database' ? reply.error.report.message : 'the connection was lost';
  const [isStandby, isReadOnly] = reply.value[0]?.map((column) => column === 't') ?? [];
  switch (kind) {
    case 'read-write':
      return isReadOnly ? 'the session is read-only' : undefined;
    case 'read-only':
      return isReadOnly ? undefined : 'the session is not read-only';
    case 'primary':
      return isStandby ? 'the server is a standby' : undefined;
    case 'standby':
      return isStandby ? undefined : 'the server is not a standby';
    default:
      return assertNever(kind);
  }
}

/**
 * Checks whether the database accepts a connection and answers a statement, then closes the connection. Used while
 * waiting for an unavailable database.
 *
 * @param timeoutMs for each host, and again for the statement
 */
export async function checkAnswering(
  options: Omit<ConnectOptions, 'isPreparing' | 'timeout'>,
  timeoutMs: number,
): Promise<boolean> {
  const connected = await connect({ ...options, isPreparing: false, timeout: timeoutMs });
  if (!connected.ok) return false;
  const session = connected.value;
  const timer = setTimeout(() => session.destroy('no answer in time'), timeoutMs);
  const reply = await query(session, 'SELECT 1');
  clearTimeout(timer);
  void session.close();
  return reply.ok;
}

// In: a connection string. Out: a session with the first of its hosts that accepts the connection and is of the kind
// asked for. Everything else uses sessions.
import os from 'node:os';
import type { Product } from '../../contract/product.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
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
import { type PlanOptions, Session } from './session.ts';
import { checkTargetSession, listSessionKinds, type SessionKind } from './target-session.ts';
import { loadTlsAttempts, type TlsAttempt } from '../connect/tls-options.ts';

export interface ConnectOptions {
  /** libpq's syntax, URI or key=value (`operating.md` §6.2). */
  readonly connectionString: string;
  /** The PG* variables among it fill in what the string leaves out. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `application_name` where nothing else sets it. */
  readonly product: Product;
  /** Whether request statements are prepared under names (`operating.md` §6.8). */
  readonly isPreparing: boolean;
  /** Whether plans are forgotten when the role changes; default: false. */
  readonly isDiscardingPlans?: boolean;
  /** Takes precedence over `target_session_attrs`, wherever that is set. */
  readonly targetSession?: TargetSession;
  /** Milliseconds for each host; takes precedence over `connect_timeout`. */
  readonly timeout?: number;
}

/** SQLSTATE class of a refused user; another host would refuse it as well. */
const AUTHENTICATION_CLASS = '28';
/** No entry of the server's `pg_hba.conf` matches: TLS may make the difference. */
const NO_ACCESS_RULE = '28000';

/** Milliseconds that a host has before the next one is tried beside it. */
const STAGGER_MS = 250;
/** Kinds that one host at most is of: whoever turns out to be it is the one, in whatever order hosts answer. */
const SINGULAR_KINDS: ReadonlySet<SessionKind> = new Set(['read-write', 'primary']);

interface Refusal {
  readonly reason: string;
  /** Another host would refuse as well. */
  readonly isFinal: boolean;
}

/** Error: `cannotConnect` with the reason of every host tried, one per line. */
export async function connect(options: ConnectOptions): Promise<Result<Session, ApiError>> {
  const settings = await resolveSettings(options);
  if (!settings.ok) return cannotConnect([settings.error]);
  const wanted = options.targetSession ?? settings.value.targetSession;
  const refusals: Refusal[] = [];
  for (const kind of listSessionKinds(wanted)) {
    const hosts = orderHosts(settings.value);
    const opened = await findFirstSuccess(
      hosts.map((target) => () => openEligible(settings.value, target, kind, options)),
      {
        stagger: SINGULAR_KINDS.has(kind) ? STAGGER_MS : undefined,
        isFinal: ({ isFinal }) => isFinal,
        onSurplus: (session) => void session.close(),
      },
    );
    if (opened.ok) return opened;
    refusals.push(...opened.error);
    if (opened.error.some(({ isFinal }) => isFinal)) break;
  }
  return cannotConnect(refusals.map(({ reason }) => reason));
}

async function openEligible(
  settings: ConnectionSettings,
  target: HostTarget,
  kind: SessionKind,
  options: ConnectOptions,
): Promise<Result<Session, Refusal>> {
  const opened = await openSession(settings, target, options);
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

/** What is wrong with the settings themselves, so that no attempt will ever succeed; undefined when nothing is. */
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

async function openSession(
  settings: ConnectionSettings,
  target: HostTarget,
  options: ConnectOptions,
): Promise<Result<Session, DriverFailure>> {
  const attempts = isSocketDirectory(target) ? ok([undefined]) : await loadTlsAttempts(settings.tls, os.homedir());
  if (!attempts.ok) return fail({ text: attempts.error, sqlstate: undefined, isTlsUnsupported: false });
  const { timeout = settings.connectTimeout } = options;
  let failure: DriverFailure = { text: 'no way to connect', sqlstate: undefined, isTlsUnsupported: false };
  for (const tls of attempts.value) {
    const opened = await openSocket(await buildDriverOptions(settings, target, { tls, timeout }));
    if (opened.ok)
      return ok(new Session({ ...opened.value, target, ...plansOf(options), liveness: settings.liveness }));
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
  { tls, timeout }: { readonly tls: TlsAttempt; readonly timeout: number },
): Promise<DriverOptions> {
  const { user, database, passwordFile } = settings;
  const password = settings.password ?? (await readPassword(passwordFile, { ...target, database, user }));
  return {
    ...settings,
    host: target.address,
    port: target.port,
    password,
    connectTimeout: timeout,
    keepAliveIdle: settings.liveness.intervalMs,
    // The certificate holds the host name, even if the connection goes to `hostaddr`.
    tls: tls === undefined || target.host === target.address ? tls : { ...tls, servername: target.host },
    tlsNegotiation: settings.tls.negotiation,
    isChannelBound: settings.tls.isChannelBound,
  };
}

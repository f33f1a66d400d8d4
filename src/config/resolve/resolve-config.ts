// Resolves the sources to the effective configuration, typed and validated (`operating.md` §1.1-§1.6). A reload keeps
// the options that are fixed at startup. The caller passes in file access and the checks that `auth/` implements.
import type { Dialect } from '../../contract/dialect.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { AppConfig } from '../table/app-config.ts';
import { resolveAppSettings } from './app-settings.ts';
import { type ConfigSources, findOptionValue, type NamedSources } from './config-sources.ts';
import { findMistakes } from './find-mistakes.ts';
import { resolveSecret } from './jwt-secret.ts';
import type { OptionKey } from '../table/option.ts';
import { defaultOf, OPTION_KEYS, OPTIONS } from '../table/options.ts';
import { resolveDialect } from './resolve-dialect.ts';

/** The complete message for the operator. */
export interface ConfigError {
  readonly message: string;
}

export interface ConfigSteps {
  /** Returns the bytes of a file named by `jwt-secret` or `db-uri`, or the system's error text with the path. */
  readonly readFile: (path: string) => Result<Uint8Array, string>;
  /** Fails if the bytes of `jwt-secret` are not a usable key. */
  readonly checkSecret: (secret: Uint8Array) => Result<unknown, string>;
  /** Returns the path in its printed form; fails if neither syntax matches. */
  readonly parseRolePath: (text: string) => Result<string, string>;
  /** Ignores unknown names with a warning, as for a dump; a server refuses to start with them. */
  readonly isLenient: boolean;
  /** The running configuration, on a reload. */
  readonly previous: AppConfig | undefined;
}

type OptionValues = Pick<AppConfig, OptionKey>;

export function resolveConfig(sources: ConfigSources, steps: ConfigSteps): Result<AppConfig, ConfigError> {
  const chosen = resolveDialect({ ...sources, dialect: steps.previous?.dialect ?? sources.dialect });
  if (!chosen.ok) return fail(describeConfigError(chosen.error));
  const { dialect, environmentPrefix } = chosen.value;
  const named = consultedSources({ ...sources, environmentPrefix, settingsPrefix: dialect.settingsPrefix });
  const configured = findConfiguredValues(named);
  if (!configured.ok) return configured;
  const mistakes = findMistakes(named, dialect);
  const refused = mistakes.filter(
    ({ refusedBy }) => refusedBy === 'all' || (refusedBy === 'servers' && !steps.isLenient),
  );
  if (refused.length > 0) return fail(describeConfigError(refused.map(({ text }) => text).join('\nError in config ')));
  const values = configured.value;
  const options = fillDefaults(values, dialect);
  // A reload checks these too, although they are fixed, because the next start would reject them. Port 0 picks any free
  // port and never conflicts.
  if (options.adminServerPort === options.serverPort && options.serverPort !== 0) {
    return fail(describeConfigError('admin-server-port cannot be the same as server-port'));
  }
  const config: AppConfig = {
    ...options,
    adminServerHost: values.adminServerHost ?? options.serverHost,
    appSettings: resolveAppSettings(named, dialect),
    warnings: mistakes.map(({ text }) => text),
    dialect: dialect.name,
    environmentPrefix,
    jwtCacheMaxEntriesIsSet: values.jwtCacheMaxEntries !== undefined || dialect.isTokenCacheDefault,
    ...fixedValues(steps.previous),
  };
  return completeConfig(config, steps);
}

/** Describes an error in a configuration value itself, as opposed to one in a file it refers to. */
export function describeConfigError(text: string): ConfigError {
  return { message: `Error in config ${text}` };
}

function fillDefaults(values: Partial<OptionValues>, dialect: Dialect): OptionValues {
  const defaults = Object.fromEntries(OPTION_KEYS.map((key) => [key, defaultOf(key, dialect)]));
  const filled: Partial<OptionValues> = { ...defaults, ...values };
  if (!isComplete(filled)) throw new Error('the option table is incomplete');
  return filled;
}

function isComplete(values: Partial<OptionValues>): values is OptionValues {
  return OPTION_KEYS.every((key) => key in values);
}

/** Drops the in-database settings if `db-config` is off. */
function consultedSources(sources: NamedSources): NamedSources {
  const isDatabaseRead = findOptionValue(OPTIONS.dbConfig, sources);
  const isIgnored = isDatabaseRead.ok && isDatabaseRead.value === false;
  return isIgnored ? { ...sources, database: new Map() } : sources;
}

/** Returns the values for which some source has a usable one. */
function findConfiguredValues(sources: NamedSources): Result<Partial<OptionValues>, ConfigError> {
  const values = new Map<OptionKey, AppConfig[OptionKey]>();
  for (const key of OPTION_KEYS) {
    const value = findOptionValue<AppConfig[OptionKey]>(OPTIONS[key], sources);
    if (!value.ok) return fail(describeConfigError(value.error));
    if (value.value !== undefined) values.set(key, value.value);
  }
  return ok(Object.fromEntries(values));
}

function fixedValues(previous: AppConfig | undefined): Partial<OptionValues> {
  if (previous === undefined) return {};
  return Object.fromEntries(OPTION_KEYS.filter((key) => OPTIONS[key].isFixed).map((key) => [key, previous[key]]));
}

function completeConfig(config: AppConfig, steps: ConfigSteps): Result<AppConfig, ConfigError> {
  const rolePath = steps.parseRolePath(config.jwtRoleClaimKey);
  if (!rolePath.ok) return fail(describeConfigError(rolePath.error));
  const rateKey = checkRateKey(config, steps);
  if (!rateKey.ok) return fail(describeConfigError(rateKey.error));
  const dbUri = steps.previous === undefined ? resolveDatabaseUri(config.dbUri, steps) : ok(config.dbUri);
  if (!dbUri.ok) return fail({ message: dbUri.error });
  const replicas = steps.previous === undefined ? resolveReplicaUris(config, steps) : ok(config.dbUriReplicas);
  if (!replicas.ok) return fail({ message: replicas.error });
  const liveDbUri = steps.previous === undefined ? resolveLiveUri(config, steps) : ok(config.liveDbUri);
  if (!liveDbUri.ok) return fail({ message: liveDbUri.error });
  const secret = config.jwtSecret && resolveSecret(config.jwtSecret, { ...steps, isBase64: config.jwtSecretIsBase64 });
  if (secret?.ok === false) return fail({ message: secret.error });
  const uris = { dbUri: dbUri.value, dbUriReplicas: replicas.value, liveDbUri: liveDbUri.value };
  return ok({ ...config, ...uris, jwtRoleClaimKey: rolePath.value, jwtSecret: secret?.value });
}

function checkRateKey({ serverRateLimitBy: key }: AppConfig, steps: ConfigSteps): Result<unknown, string> {
  if (!key.startsWith('claim:') || steps.parseRolePath(key.slice('claim:'.length)).ok) return ok(undefined);
  return fail(`Invalid server-rate-limit-by: the path of the claim cannot be parsed: ${JSON.stringify(key)}.`);
}

function resolveReplicaUris({ dbUriReplicas }: AppConfig, steps: ConfigSteps): Result<readonly string[], string> {
  const uris: string[] = [];
  for (const configured of dbUriReplicas) {
    const uri = resolveDatabaseUri(configured, steps);
    if (!uri.ok) return uri;
    uris.push(uri.value);
  }
  return ok(uris);
}

function resolveLiveUri({ liveDbUri }: AppConfig, steps: ConfigSteps): Result<string | undefined, string> {
  return liveDbUri === undefined ? ok(undefined) : resolveDatabaseUri(liveDbUri, steps);
}

function resolveDatabaseUri(configured: string, steps: ConfigSteps): Result<string, string> {
  if (!configured.startsWith('@')) return ok(configured);
  const bytes = steps.readFile(configured.slice(1));
  if (!bytes.ok) return bytes;
  return ok(new TextDecoder().decode(bytes.value).trim() || OPTIONS.dbUri.default);
}

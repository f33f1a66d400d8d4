// Reads file, environment and referenced files and resolves the configuration, at startup and on every reload. Reads
// synchronously: it happens rarely, and a reload must see one consistent state of the files.
import { existsSync, readFileSync } from 'node:fs';
import { parseRolePath, printRolePath } from '../../auth/role-path.ts';
import type { AppConfig } from '../../config/table/app-config.ts';
import { type ConfigEntries, type ConfigFile, parseConfigFile } from '../../config/syntax/config-file.ts';
import type { InDatabaseSettings } from '../../config/resolve/config-sources.ts';
import { type ConfigError, describeConfigError, resolveConfig } from '../../config/resolve/resolve-config.ts';
import { resolveDialect } from '../../config/resolve/resolve-dialect.ts';
import { environmentName } from '../../config/table/option.ts';
import { type Dialect, type DialectName, DIALECTS } from '../../contract/dialect.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { loadVerificationKeys } from '../tokens/jwt-keys.ts';

export interface ConfigLocation {
  /** The configuration file, relative to the working directory. */
  readonly file: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether the file may be missing. */
  readonly isFileOptional?: boolean;
  /** Added to the error message if the file cannot be read. */
  readonly fileHint?: string | undefined;
  /** Takes precedence over environment and file. */
  readonly dialect?: DialectName | undefined;
  /** Reports unknown names, then ignores them: for commands that do not serve requests. */
  readonly isLenient?: boolean;
  /** Values of options that no source sets; read each time. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Options that the file cannot change. */
  readonly overrides?: Readonly<Record<string, string>>;
}

/** Resolves the configuration from the current sources; `previous` is the active configuration during a reload. */
export type ReadConfig = (
  database: InDatabaseSettings,
  previous: AppConfig | undefined,
) => Result<AppConfig, ConfigError>;

export function createConfigReader(location: ConfigLocation): ReadConfig {
  const environment = toVariables(location);
  const overrides = toEntries(location.overrides);
  const overrideKeys = new Set(overrides.keys());
  return (database, previous) => {
    const own = readFile(location, environment);
    if (!own.ok) return fail(describeConfigError(own.error));
    const steps = {
      readFile: readBytes,
      checkSecret: loadVerificationKeys,
      parseRolePath: normalizeRolePath,
      isLenient: location.isLenient ?? false,
      previous,
    };
    const { entries, variables: fileVariables } = own.value;
    const file = new Map([...toEntries(location.defaults), ...entries, ...overrides]);
    return resolveConfig(
      { database, environment, file, fileVariables, overrideKeys, dialect: location.dialect },
      steps,
    );
  };
}

/** Resolves only the dialect, which needs no other option to be valid. */
export function readDialect(location: ConfigLocation): Result<Dialect, ConfigError> {
  const environment = toVariables(location);
  const file = readFile(location, environment);
  const chosen = file.ok ? resolveDialect({ environment, file: file.value.entries, dialect: location.dialect }) : file;
  return chosen.ok ? ok(chosen.value.dialect) : fail(describeConfigError(chosen.error));
}

function toVariables({ environment }: ConfigLocation): ReadonlyMap<string, string> {
  const variables = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new Map(variables);
}

function toEntries(options: Readonly<Record<string, string>> = {}): ConfigEntries {
  return new Map(Object.entries(options).map(([name, text]) => [name, { kind: 'text', text }] as const));
}

const NO_FILE: ConfigFile = { entries: new Map(), variables: new Set() };

function normalizeRolePath(text: string): Result<string, string> {
  const path = parseRolePath(text);
  return path.ok ? ok(printRolePath(path.value)) : path;
}

function readFile(
  { file, fileHint, isFileOptional = false }: ConfigLocation,
  environment: ReadonlyMap<string, string>,
): Result<ConfigFile, string> {
  if (file === undefined || (isFileOptional && !existsSync(file))) return ok(NO_FILE);
  return parseConfigFile(file, { readFile: (path) => readText(path, fileHint), environment });
}

/** Reads UTF-8, regardless of the locale. */
function readText(path: string, hint: string | undefined): Result<string, string> {
  const bytes = readBytes(path);
  if (!bytes.ok) return fail(describeFileError(path, bytes.error, hint));
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes.value));
  } catch {
    return fail(`${path}: openFile: invalid byte sequence (not UTF-8)`);
  }
}

const CONNECTION_STRING = /:\/\/|[^/\\]:[^/\\]*@|\bpassword\s*=/iu;

/** Never repeats a connection string. */
function describeFileError(path: string, error: string, hint: string | undefined): string {
  if (CONNECTION_STRING.test(path))
    return 'expected the name of a configuration file, got a connection string: pass it as db-uri';
  return hint === undefined ? error : `${error}; ${hint}`;
}

function readBytes(path: string): Result<Uint8Array, string> {
  try {
    // Opened by descriptor, since standard input cannot be opened by name if it is a socket.
    return ok(new Uint8Array(readFileSync(path === '/dev/stdin' ? 0 : path)));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const code = 'code' in error ? error.code : undefined;
    return fail(`${path}: openFile: ${SYSTEM_ERRORS.get(code) ?? `failed (${error.message})`}`);
  }
}

const SYSTEM_ERRORS: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'does not exist (No such file or directory)'],
  ['EACCES', 'permission denied (Permission denied)'],
  ['EISDIR', 'inappropriate type (Is a directory)'],
  ['ENOTDIR', 'inappropriate type (Not a directory)'],
]);

/**
 * Adds options of the caller to the configuration sources. Makes the options take precedence over file and
 * environment.
 */
export function overrideOptions(location: ConfigLocation, options: Readonly<Record<string, string>>): ConfigLocation {
  const overridden = new Set(Object.keys(options).flatMap(listVariables));
  const environment = Object.entries(location.environment).filter(([name]) => !overridden.has(name));
  return {
    ...location,
    environment: Object.fromEntries(environment),
    overrides: { ...location.overrides, ...options },
  };
}

/** Returns the environment variables that set the option in any dialect. */
export function listVariables(option: string): readonly string[] {
  return Object.values(DIALECTS).map(({ environmentPrefix }) => environmentName(option, environmentPrefix));
}

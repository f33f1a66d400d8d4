// Reads file, environment and referenced files and resolves the configuration, at startup and on every reload. Reads
// synchronously: it happens rarely, and a reload must see one consistent state of the files.
import { readFileSync } from 'node:fs';
import { parseRolePath, printRolePath } from '../../auth/role-path.ts';
import type { AppConfig } from '../../config/table/app-config.ts';
import { type ConfigEntries, type ConfigFile, parseConfigFile } from '../../config/syntax/config-file.ts';
import type { InDatabaseSettings } from '../../config/resolve/config-sources.ts';
import { type ConfigError, describeConfigError, resolveConfig } from '../../config/resolve/resolve-config.ts';
import type { DialectName } from '../../contract/dialect.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { loadVerificationKeys } from '../tokens/jwt-keys.ts';

export interface ConfigLocation {
  /** The configuration file, relative to the working directory. */
  readonly file: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes precedence over environment and file. */
  readonly dialect?: DialectName | undefined;
  /** Reports unknown names, then ignores them: for commands that do not serve requests. */
  readonly isLenient?: boolean;
  /** Values of options that no source sets. */
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
  const environment = new Map<string, string>();
  for (const [name, value] of Object.entries(location.environment)) {
    if (value !== undefined) environment.set(name, value);
  }
  const defaults = toEntries(location.defaults);
  const overrides = toEntries(location.overrides);
  const overrideKeys = new Set(overrides.keys());
  return (database, previous) => {
    const own = readFile(location.file, environment);
    if (!own.ok) return fail(describeConfigError(own.error));
    const steps = {
      readFile: readBytes,
      checkSecret: loadVerificationKeys,
      parseRolePath: normalizeRolePath,
      isLenient: location.isLenient ?? false,
      previous,
    };
    const { entries, variables: fileVariables } = own.value;
    const file = new Map([...defaults, ...entries, ...overrides]);
    return resolveConfig(
      { database, environment, file, fileVariables, overrideKeys, dialect: location.dialect },
      steps,
    );
  };
}

function toEntries(options: Readonly<Record<string, string>> = {}): ConfigEntries {
  return new Map(Object.entries(options).map(([name, text]) => [name, { kind: 'text', text }] as const));
}

const NO_FILE: ConfigFile = { entries: new Map(), variables: new Set() };

function normalizeRolePath(text: string): Result<string, string> {
  const path = parseRolePath(text);
  return path.ok ? ok(printRolePath(path.value)) : path;
}

function readFile(path: string | undefined, environment: ReadonlyMap<string, string>): Result<ConfigFile, string> {
  return path === undefined ? ok(NO_FILE) : parseConfigFile(path, { readFile: readText, environment });
}

/** Reads UTF-8, regardless of the locale. */
function readText(path: string): Result<string, string> {
  const bytes = readBytes(path);
  if (!bytes.ok) return fail(describeFileError(path, bytes.error));
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes.value));
  } catch {
    return fail(`${path}: openFile: invalid byte sequence (not UTF-8)`);
  }
}

const CONNECTION_STRING = /:\/\/|[^/\\]:[^/\\]*@|\bpassword\s*=/iu;

/** Adds a hint if the path may be a mistyped command. Never repeats a connection string. */
function describeFileError(path: string, error: string): string {
  if (CONNECTION_STRING.test(path))
    return 'expected the name of a configuration file, got a connection string: pass it as db-uri';
  const isWord = /^[\w-]+$/u.test(path);
  return isWord
    ? `${error}; an unknown command is taken as the name of a configuration file, see \`rowhouse --help\``
    : error;
}

function readBytes(path: string): Result<Uint8Array, string> {
  try {
    // Opened by descriptor, since standard input cannot be opened by name if it is a socket.
    return ok(new Uint8Array(readFileSync(path === '/dev/stdin' ? 0 : path)));
  } catch (error) {
    return fail(`${path}: openFile: ${describeSystemError(error)}`);
  }
}

const SYSTEM_ERRORS: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'does not exist (No such file or directory)'],
  ['EACCES', 'permission denied (Permission denied)'],
  ['EISDIR', 'inappropriate type (Is a directory)'],
  ['ENOTDIR', 'inappropriate type (Not a directory)'],
]);

function describeSystemError(error: unknown): string {
  if (!(error instanceof Error)) throw error;
  const code = 'code' in error ? error.code : undefined;
  return SYSTEM_ERRORS.get(code) ?? `failed (${error.message})`;
}

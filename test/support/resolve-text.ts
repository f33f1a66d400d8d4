// Resolves configurations from file text and environment variables.
import { parseKeys } from '../../src/auth/keys.ts';
import { parseRolePath, printRolePath } from '../../src/auth/role-path.ts';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { parseConfigFile } from '../../src/config/syntax/config-file.ts';
import type { InDatabaseSettings } from '../../src/config/resolve/config-sources.ts';
import { type ConfigError, resolveConfig } from '../../src/config/resolve/resolve-config.ts';
import type { DialectName } from '../../src/contract/dialect.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';

export interface TextSources {
  /** The dialect given on the command line. */
  readonly dialect?: DialectName;
  readonly file?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly database?: InDatabaseSettings;
  /** Contents of files, by path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly previous?: AppConfig;
  /** Resolves strictly, as for a server; by default leniently, as for a dump. */
  readonly isServing?: boolean;
}

export function resolveText(sources: TextSources): Result<AppConfig, ConfigError> {
  const files = new Map(Object.entries(sources.files ?? {}));
  const environment = new Map(Object.entries(sources.environment ?? {}));
  const file = parseConfigFile('test.conf', { readFile: () => ok(sources.file ?? ''), environment });
  if (!file.ok) return fail({ message: file.error });
  return resolveConfig(
    {
      database: sources.database ?? new Map(),
      environment,
      file: file.value.entries,
      fileVariables: file.value.variables,
      overrideKeys: new Set(),
      dialect: sources.dialect,
    },
    {
      readFile: (path) => {
        const text = files.get(path);
        return text === undefined ? fail(`${path}: no such file`) : ok(new TextEncoder().encode(text));
      },
      checkSecret: parseKeys,
      parseRolePath: (text) => {
        const path = parseRolePath(text);
        return path.ok ? ok(printRolePath(path.value)) : path;
      },
      isLenient: sources.isServing !== true,
      previous: sources.previous,
    },
  );
}

export function resolved(sources: TextSources): AppConfig {
  const config = resolveText(sources);
  if (!config.ok) throw new Error(config.error.message);
  return config.value;
}

export function errorOf(sources: TextSources): string | undefined {
  const config = resolveText(sources);
  return config.ok ? undefined : config.error.message;
}

export function fromRole(values: Readonly<Record<string, string>>): InDatabaseSettings {
  return new Map(Object.entries(values).map(([name, value]) => [name, { value, source: 'role' }]));
}

export function fromFunction(values: Readonly<Record<string, string>>): InDatabaseSettings {
  return new Map(Object.entries(values).map(([name, value]) => [name, { value, source: 'function' }]));
}

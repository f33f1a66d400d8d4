// Lists the configuration files that contain secrets, with their permissions.
import { readFileSync, statSync } from 'node:fs';
import { type ConfigEntries, parseConfigFile } from '../../src/config/syntax/config-file.ts';
import { readText } from '../../src/config/syntax/config-value.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { SecretFile } from './secrets.ts';
import { listVariables } from '../../src/service/configuration/override-options.ts';
import type { ConfigLocation } from '../../src/service/configuration/read-config.ts';

const SECRETS = ['jwt-secret', 'db-uri'] as const;
const PASSWORD = /^\w+:\/\/[^/@]*:[^/@]+@|[\s?&]password\s*=|^password\s*=/u;

/** Returns nothing on Windows, where file modes have no meaning. */
export function findSecretFiles(location: ConfigLocation): readonly SecretFile[] {
  if (process.platform === 'win32') return [];
  const entries = readEntries(location);
  const inFile = SECRETS.map((name) => readEntry(entries, name));
  const stated = SECRETS.map((name) => location.overrides?.[name]);
  const inEnvironment = SECRETS.flatMap(listVariables).map((variable) => location.environment[variable]);
  const texts = [...inFile, ...stated, ...inEnvironment].filter((text) => text !== undefined);
  const named = texts.filter((text) => text.startsWith('@')).map((text) => text.slice(1));
  const isSecret = isSecretText(readEntry(entries, 'jwt-secret')) || PASSWORD.test(readEntry(entries, 'db-uri') ?? '');
  const own = location.file !== undefined && isSecret ? [location.file] : [];
  return [...own, ...named].flatMap(examine);
}

function isSecretText(text: string | undefined): boolean {
  return text !== undefined && text !== '' && !text.startsWith('@');
}

function readEntry(entries: ConfigEntries, name: string): string | undefined {
  const value = entries.get(name);
  return value === undefined ? undefined : readText(value);
}

/** Returns no entries for an unreadable file, which was already reported when the configuration was read. */
function readEntries({ file, environment }: ConfigLocation): ConfigEntries {
  if (file === undefined) return new Map();
  const variables = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const entries = parseConfigFile(file, { readFile, environment: new Map(variables) });
  return entries.ok ? entries.value.entries : new Map();
}

function readFile(path: string): Result<string, string> {
  try {
    return ok(readFileSync(path, 'utf8'));
  } catch (error) {
    return fail(String(error));
  }
}

/** Skips pipes and other special files. */
function examine(path: string): readonly SecretFile[] {
  const status = statSync(path, { throwIfNoEntry: false });
  return status?.isFile() === true ? [{ path, mode: status.mode }] : [];
}

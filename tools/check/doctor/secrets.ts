// Checks the secret that signs tokens and the permissions of files that contain secrets.
import { readFileSync, statSync } from 'node:fs';
import { parseKeys } from '../../../src/auth/keys.ts';
import { describeObject, type Finding } from '../lints/finding.ts';
import { type ConfigEntries, parseConfigFile } from '../../../src/config/syntax/config-file.ts';
import { readText } from '../../../src/config/syntax/config-value.ts';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import { type ConfigLocation, listVariables } from '../../../src/service/configuration/read-config.ts';

interface SecretFile {
  readonly path: string;
  /** Permission bits. */
  readonly mode: number;
}

const ENOUGH_BITS = 80;
const GROUP_READS = 0o040;
const OTHERS_READ = 0o004;

export function checkSecret(secret: Uint8Array | undefined): readonly Finding[] {
  const keys = secret === undefined ? undefined : parseKeys(secret);
  if (!keys?.ok) return [];
  const isWeak = keys.value.some((key) => key.kind === 'secret' && estimateBits(readBytes(key.bytes)) < ENOUGH_BITS);
  if (!isWeak) return [];
  return [
    describeObject({
      lint: 'weak-secret',
      level: 'error',
      object: 'jwt-secret',
      message: 'Anyone with a token can try words and sequences until they find the secret, and then sign any token.',
      fix: 'openssl rand -base64 32',
    }),
  ];
}

/** Returns one character per byte. */
function readBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

export function checkFiles(files: readonly SecretFile[]): readonly Finding[] {
  return files
    .filter(({ mode }) => (mode & (GROUP_READS | OTHERS_READ)) !== 0)
    .map(({ path, mode }) => {
      const isPublic = (mode & OTHERS_READ) !== 0;
      return describeObject({
        lint: 'readable-secret',
        level: isPublic ? 'error' : 'warning',
        object: path,
        message: `The file contains a secret, and ${isPublic ? 'every user of the machine' : 'its group'} can read it.`,
        fix: `chmod 600 '${path.replaceAll("'", String.raw`'\''`)}'`,
      });
    });
}

// Estimates the entropy of a secret in bits: a rough upper bound, reduced by repetition, sequences and words.

/** Words that are common in secrets, and the bits that each is worth. */
const COMMON_WORDS =
  /secret|password|passphrase|passwort|change|please|default|example|character|admin|login|token|signing|secure|super|very|long|least|really|test|demo|local|develop|staging|production|qwerty|asdf|letme|welcome|dragon|monkey|jwt|key|api|this|that|must|your|for/gu;
const COMMON_WORD_BITS = 4;
/** Entropy of a word from a list of 8,000. */
const WORD_BITS = 13;
/** Matches a phrase of words, as opposed to random letters. */
const PHRASE = /^[A-Z]?[a-z]+(?:[\s_.,:-]+(?:[A-Z]?[a-z]+|\d+)){2,}[!.?]*$/u;

function estimateBits(secret: string): number {
  let common = 0;
  const rest = secret.toLowerCase().replaceAll(COMMON_WORDS, () => {
    common += 1;
    return ' ';
  });
  const bits = PHRASE.test(secret) ? countWords(rest) * WORD_BITS : estimateCharacters(rest, countLetters(secret));
  return bits + common * COMMON_WORD_BITS;
}

function countWords(text: string): number {
  return text.split(/[\s_.,:-]+/u).filter((word) => word.length > 2).length;
}

/** A character that continues a sequence (`aaa`, `abc`, `321`) or completes a repeated pair adds little. */
function estimateCharacters(text: string, letters: number): number {
  const seen = new Set<string>();
  let bits = 0;
  let lastStep = 0;
  for (let index = 0; index < text.length; index += 1) {
    const pair = text.slice(Math.max(0, index - 1), index + 1);
    const step = text.charCodeAt(index) - text.charCodeAt(index - 1);
    const isRun = step === lastStep && Math.abs(step) <= 1;
    bits += isRun || seen.has(pair) ? 0.5 : Math.log2(letters);
    lastStep = step;
    seen.add(pair);
  }
  return bits;
}

/** Returns the size of the alphabet that the text seems to be drawn from. */
function countLetters(text: string): number {
  if (/^[\da-f]*$/iu.test(text)) return /[a-f]/iu.test(text) ? 16 : 10;
  const classes = [/\d/u, /[a-z]/u, /[A-Z]/u, /[^\dA-Za-z]/u];
  const sizes = [10, 26, 26, 16];
  return classes.reduce((sum, letters, index) => sum + (letters.test(text) ? (sizes[index] ?? 0) : 0), 0);
}

// Lists the configuration files that contain secrets, with their permissions.

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

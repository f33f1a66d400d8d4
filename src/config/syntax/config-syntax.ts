// Parses the text of one configuration file into its entries (`operating.md` §1.2). Does not follow imports or replace
// variables, and drops disabled entries.
import { fail, ok, type Result } from '../../contract/result.ts';
import { ConfigCursor, type ConfigSyntaxFailure } from './config-cursor.ts';
import { parseStringLiteral } from './config-string.ts';
import type { ConfigValue } from './config-value.ts';

/** `offset` is where the value or path begins. */
export type ConfigEntry =
  | { readonly kind: 'value'; readonly key: string; readonly value: ConfigValue; readonly offset: number }
  | { readonly kind: 'group'; readonly key: string; readonly entries: readonly ConfigEntry[] }
  | ConfigImport;

export interface ConfigImport {
  readonly kind: 'import';
  readonly path: string;
  readonly offset: number;
}

interface Parser {
  readonly cursor: ConfigCursor;
  /** Number of groups and lists around the cursor. */
  readonly depth: number;
}

const BLANKS = /[ \t\r]+/y;
const BLANKS_AND_LINES = /(?:[ \t\r\n]|#(?!;)[^\n]*)+/y;
const REST_OF_LINE = /[ \t\r]*(?:#(?!;)[^\n]*)?/y;
/**
 * Words after the first may begin with any character of a word, so that every `app.settings.*` of a dump can be read.
 */
const KEY = /\p{L}[\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)*/uy;
const NUMBER = /[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['on', true],
  ['off', false],
]);
/** Far beyond any real file, yet safe for the call stack. */
const MAX_DEPTH = 100;

export function parseConfigSyntax(text: string): Result<readonly ConfigEntry[], ConfigSyntaxFailure> {
  const cursor = new ConfigCursor(text);
  const entries = parseEntries({ cursor, depth: 0 });
  if (!cursor.isAtEnd) cursor.fail('expected an entry: key = value');
  return cursor.failure === undefined ? ok(entries) : fail(cursor.failure);
}

/** Returns whether the text can be a key of the file. */
export function isConfigKey(text: string): boolean {
  return new RegExp(`^(?:${KEY.source})$`, 'u').test(text);
}

/** Parses entries up to the end of the file or group. */
function parseEntries(parser: Parser): readonly ConfigEntry[] {
  const { cursor } = parser;
  const entries: ConfigEntry[] = [];
  cursor.match(BLANKS_AND_LINES);
  while (!cursor.isAtEnd && !cursor.startsWith('}')) {
    const isDisabled = cursor.take('#;');
    if (isDisabled) cursor.match(BLANKS);
    const entry = parseEntry(parser);
    if (entry !== undefined && !isDisabled) entries.push(entry);
    expectEndOfEntry(cursor);
    cursor.match(BLANKS_AND_LINES);
  }
  return entries;
}

function expectEndOfEntry(cursor: ConfigCursor): void {
  cursor.match(REST_OF_LINE);
  const isEnd = cursor.isAtEnd || cursor.startsWith('\n') || cursor.startsWith('}');
  if (!isEnd) cursor.fail('expected the end of the line');
}

function parseEntry(parser: Parser): ConfigEntry | undefined {
  const { cursor } = parser;
  const key = cursor.match(KEY);
  if (key === undefined) return cursor.fail('expected an entry: key = value');
  cursor.match(BLANKS);
  if (key === 'import' && cursor.startsWith('"')) {
    return { kind: 'import', offset: cursor.offset, path: parseStringLiteral(cursor) };
  }
  if (cursor.take('{')) return { kind: 'group', key, entries: parseGroup(parser) };
  cursor.expect('=');
  cursor.match(BLANKS_AND_LINES);
  const offset = cursor.offset;
  const value = parseValue(parser);
  return value && { kind: 'value', key, value, offset };
}

function parseGroup(parser: Parser): readonly ConfigEntry[] {
  const entries = parseEntries(enter(parser));
  parser.cursor.expect('}');
  return entries;
}

function parseValue(parser: Parser): ConfigValue | undefined {
  const { cursor } = parser;
  if (cursor.startsWith('"')) return { kind: 'text', text: parseStringLiteral(cursor) };
  if (cursor.take('[')) return { kind: 'list', items: parseItems(enter(parser)) };
  const number = cursor.match(NUMBER);
  if (number !== undefined) return { kind: 'number', text: printNumber(number) };
  for (const [word, value] of WORDS) {
    if (cursor.take(word)) return { kind: 'boolean', value };
  }
  return cursor.fail('expected a value: "text", a number, true, false, on, off or a list');
}

function parseItems(parser: Parser): readonly ConfigValue[] {
  const { cursor } = parser;
  const items: ConfigValue[] = [];
  cursor.match(BLANKS_AND_LINES);
  while (!cursor.take(']')) {
    const item = parseValue(parser);
    if (item === undefined) return items;
    items.push(item);
    cursor.match(BLANKS_AND_LINES);
    if (!cursor.startsWith(']')) cursor.expect(',');
    cursor.match(BLANKS_AND_LINES);
  }
  return items;
}

function enter(parser: Parser): Parser {
  if (parser.depth >= MAX_DEPTH) parser.cursor.fail('too many nested groups or lists');
  return { ...parser, depth: parser.depth + 1 };
}

/** `013` is `13`, `1e3` is `1000`; integers keep all their digits, which a JavaScript number might not. */
function printNumber(literal: string): string {
  if (/^[+-]?\d+$/.test(literal)) return BigInt(literal.replace('+', '')).toString();
  const number = Number(literal);
  return Number.isFinite(number) ? String(number) : literal;
}

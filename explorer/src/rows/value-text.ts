// Formats a value for one line of a table.
import type { DescribedType } from '../../../src/contract/schema-document.ts';
import type { JsonObject, JsonValue } from './json-value.ts';

export type ValueLook = 'json' | 'number' | 'null' | 'true' | 'false' | 'text' | 'date' | 'list' | 'empty';

export interface ValueText {
  readonly look: ValueLook;
  readonly text: string;
  /** The whole value, as received. */
  readonly title: string;
  /** The first elements of a list of scalars. */
  readonly items?: readonly string[];
}

/** Fills a wide column; the whole value is shown when opened. */
const MAX_LENGTH = 240;
/** Maximum number of list elements on a line. */
const MAX_ITEMS = 8;
const DATED = new Set(['timestamp', 'date', 'time']);

/** @param isEmbed whether the value is an embed: a row or rows, described by what they contain */
export function describeValue(value: JsonValue, type: DescribedType | undefined, isEmbed = false): ValueText {
  const isJson = !isEmbed && (type === undefined || type.category === 'json' || type.category === 'composite');
  switch (value.kind) {
    case 'null':
      return { look: 'null', text: 'null', title: 'Null' };
    case 'boolean':
      return { look: value.value ? 'true' : 'false', text: String(value.value), title: '' };
    case 'number':
      return { look: 'number', text: value.text, title: value.text };
    case 'string':
      return describeText(value.value, type);
    case 'array':
      return isJson && !type?.isArray ? describeJson(value) : describeList(value.items, isEmbed);
    case 'object':
      return isJson ? describeJson(value) : { look: 'list', text: cut(previewOf(value, isEmbed)), title: '' };
    case 'deep':
      return { look: 'list', text: cut(value.text), title: '' };
  }
}

/** Returns whether one line cannot show the whole value. */
export function isLong(value: JsonValue): boolean {
  if (value.kind === 'string') return value.value.length > 48 || value.value.includes('\n');
  if (value.kind === 'array') return !isShortList(value.items);
  return value.kind === 'object' || value.kind === 'deep';
}

export function isRows(value: JsonValue): boolean {
  return value.kind === 'array' && value.items.length > 0 && value.items.every(({ kind }) => kind === 'object');
}

function describeText(text: string, type: DescribedType | undefined): ValueText {
  if (text === '') return { look: 'empty', text: 'empty string', title: 'An empty string' };
  const isDated = type !== undefined && !type.isArray && DATED.has(type.category);
  if (!isDated) return { look: 'text', text: cut(text.replaceAll(/\s*\n\s*/gu, ' ⏎ ')), title: cut(text, 2000) };
  return { look: 'date', text: readableTime(text), title: text };
}

/** `2026-03-01T09:30:00.12+00:00` → `2026-03-01 09:30:00.12 UTC` */
export function readableTime(text: string): string {
  return text
    .replace(/^(\S+?)T(?=\d\d:)/u, '$1 ')
    .replace(/(\.\d*?)0+(?=[+Z-]|$)/u, (_, digits: string) => (digits === '.' ? '' : digits))
    .replace(/(?:\+00(?::00)?|Z)$/u, ' UTC');
}

function describeJson(value: JsonValue): ValueText {
  return { look: 'json', text: cut(compactJson(value, MAX_LENGTH)), title: cut(compactJson(value, 2000), 2000) };
}

function describeList(items: readonly JsonValue[], isEmbed: boolean): ValueText {
  if (items.length === 0) return { look: 'empty', text: '[]', title: 'An empty list' };
  if (isEmbed && items.every(({ kind }) => kind === 'object')) {
    return { look: 'list', text: countOf(items), title: '' };
  }
  const texts = items.map((item) => inline(item));
  const text = texts.join(', ');
  const shown = texts.slice(0, MAX_ITEMS).map((item) => cut(item, 60));
  return { look: 'list', text: cut(text), title: cut(text, 2000), items: shown };
}

/** Returns whether a column of normal width can show the whole list. */
function isShortList(items: readonly JsonValue[]): boolean {
  const isPlain = items.every(({ kind }) => kind !== 'object' && kind !== 'array');
  return isPlain && items.length <= MAX_ITEMS && items.map((item) => inline(item)).join(', ').length <= 36;
}

function countOf(items: readonly JsonValue[]): string {
  return items.length === 1 ? '1 row' : `${items.length} rows`;
}

/** Returns the first values of an object, which usually identify it. */
function previewOf(value: JsonValue, isEmbed: boolean): string {
  if (value.kind !== 'object') return inline(value);
  const [only, ...others] = value.entries;
  if (only === undefined) return '{}';
  const print = isEmbed ? inlineRelated : inline;
  return others.length === 0 ? print(only[1]) : listMembers(value, print);
}

function listMembers({ entries }: JsonObject, print: (value: JsonValue) => string): string {
  return entries
    .slice(0, 6)
    .map(([key, item]) => `${key}: ${print(item)}`)
    .join(', ');
}

/** Rows within a row are counted, and a row within it is described by its values. */
function inlineRelated(value: JsonValue): string {
  if (isRows(value) && value.kind === 'array') return countOf(value.items);
  return value.kind === 'object' ? `(${cut(listMembers(value, inlineRelated), 60)})` : inline(value);
}

function inline(value: JsonValue): string {
  switch (value.kind) {
    case 'null':
      return 'null';
    case 'string':
      return value.value;
    case 'number':
      return value.text;
    case 'boolean':
      return String(value.value);
    case 'array':
    case 'object':
    case 'deep':
      return cut(compactJson(value, 60), 60);
  }
}

/** Stops soon after the given length, because a value can be huge. */
function compactJson(value: JsonValue, length: number): string {
  switch (value.kind) {
    case 'string':
      return JSON.stringify(value.value);
    case 'array':
      return `[${joinUpTo(value.items, length, (item) => compactJson(item, length))}]`;
    case 'object':
      return `{${joinUpTo(value.entries, length, ([key, item]) => `${JSON.stringify(key)}:${compactJson(item, length)}`)}}`;
    case 'deep':
      return value.text;
    case 'null':
    case 'number':
    case 'boolean':
      return inline(value);
  }
}

function joinUpTo<T>(items: readonly T[], length: number, print: (item: T) => string): string {
  let text = '';
  for (const [index, item] of items.entries()) {
    if (text.length > length) break;
    text += `${index === 0 ? '' : ','}${print(item)}`;
  }
  return text;
}

function cut(text: string, length = MAX_LENGTH): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

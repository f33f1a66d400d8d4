// Parses JSON so that numbers keep their exact text: 1.0 and 1 differ, and long numbers lose no digits.
import { isJsonObject } from '../../../src/util/json-object.ts';

/** Numbers are `NumberText`; everything else is as `JSON.parse` returns it. */
export type ExactJson = null | boolean | string | NumberText | readonly ExactJson[] | ExactObject;

export interface ExactObject {
  readonly [key: string]: ExactJson;
}

export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gu;
const [STRING_MARK, NUMBER_MARK] = ['s', 'n'];

/** Returns undefined for invalid JSON. */
export function parseExactJson(text: string): ExactJson | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  // Every string is marked too, so that none can look like a number.
  const marked = text.replaceAll(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') ? `"${STRING_MARK}${token.slice(1)}` : `"${NUMBER_MARK}${token}"`,
  );
  return unmark(JSON.parse(marked) as unknown);
}

function unmark(value: unknown): ExactJson {
  if (typeof value === 'string') {
    const text = value.slice(1);
    return value.startsWith(NUMBER_MARK) ? new NumberText(text) : text;
  }
  if (Array.isArray(value)) return value.map(unmark);
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.slice(1), unmark(member)]));
  return typeof value === 'boolean' ? value : null;
}

export function isExactObject(value: ExactJson): value is ExactObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText);
}

/** Renders JSON with sorted keys, so that equal values have equal texts. */
export function renderCanonical(value: ExactJson): string {
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map((item: ExactJson) => renderCanonical(item)).join(',')}]`;
  if (!isExactObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${renderCanonical(member)}`).join(',')}}`;
}

// Renders decoded parameters as the query part of `Content-Location` (`reading.md` §2.4).
import type { Parameter } from './split-query.ts';

/** Sorts by name and joins the values of each name with commas, in the order given. Returns `''` without parameters. */
export function renderCanonicalQuery(parameters: readonly Parameter[]): string {
  let query = '';
  let previous: string | undefined;
  for (const { name, value = '' } of parameters.toSorted(compareNames)) {
    const start = query === '' ? '' : '&';
    query += name === previous ? `,${encodeText(value)}` : `${start}${encodeText(name)}=${encodeText(value)}`;
    previous = name;
  }
  return query;
}

function compareNames(a: Parameter, b: Parameter): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}

const UNRESERVED_ONLY = /^[\w.~-]*$/;

/** Percent-encodes everything except ASCII letters, digits and `-_.~`. The text must not contain lone surrogates. */
function encodeText(text: string): string {
  return UNRESERVED_ONLY.test(text) ? text : encodeURIComponent(text).replaceAll(/[!'()*]/g, encodeCharacter);
}

function encodeCharacter(ascii: string): string {
  return `%${ascii.charCodeAt(0).toString(16).toUpperCase()}`;
}

// Parses and renders one-dimensional PostgreSQL array literals: `{a,"b, c"}`.
import { quoteText } from '../../../src/request/query/render-names.ts';

/** Returns undefined if the text is not an array literal, is nested or contains a null. */
export function parseArray(text: string): readonly string[] | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}') || trimmed.length < 2) return undefined;
  const inner = trimmed.slice(1, -1);
  if (inner.trim() === '') return [];
  const elements: string[] = [];
  let at = 0;
  for (;;) {
    ELEMENT.lastIndex = at;
    const match = ELEMENT.exec(inner);
    if (match === null) return undefined;
    const [all, quoted, raw = ''] = match;
    if (quoted === undefined && /^(?:\s*|\s*null\s*)$/iu.test(raw)) return undefined;
    elements.push(quoted === undefined ? raw.trim() : quoted.replaceAll(/\\(.)/gsu, '$1'));
    at += all.length;
    if (at === inner.length) return elements;
    at += 1;
  }
}

/** One element, quoted or not, up to the next comma or the end. */
const ELEMENT = /(?:\s*"((?:[^"\\]|\\.)*)"\s*|([^",{}\\]+))(?=,|$)/suy;

export function formatArray(elements: readonly string[]): string {
  return `{${elements.map((one) => (NEEDS_QUOTES.test(one) ? quoteText(one) : one)).join(',')}}`;
}

const NEEDS_QUOTES = /^$|^\s|\s$|[",{}\\]|^null$/iu;

// Parses an Accept header into its media types, most preferred first (`writing.md` §15.1).
import type { Dialect } from '../contract/dialect.ts';
import { parseMediaType, type MediaType } from './media-type.ts';

interface AcceptItem {
  readonly text: string;
  readonly quality: number;
  /** Parameters raise it, wildcards lower it. */
  readonly specificity: number;
}

/** Most requests have one of a few headers. The limits keep unusual headers from using up memory. */
const MAX_ENTRIES = 200;
const MAX_HEADER_LENGTH = 200;

const parsedHeaders = new WeakMap<Dialect, Map<string, readonly MediaType[]>>();

/** Never empty; quality 0 does not exclude a type. Ties keep the header's order. Without a header, accepts any type. */
export function parseAccept(header: string | undefined, dialect: Dialect): readonly MediaType[] {
  const text = header ?? '*/*';
  let known = parsedHeaders.get(dialect);
  if (known === undefined) parsedHeaders.set(dialect, (known = new Map()));
  const before = known.get(text);
  if (before !== undefined) return before;
  const types = text
    .split(',')
    .map(parseItem)
    .sort((a, b) => b.quality - a.quality || b.specificity - a.specificity)
    .map((item) => parseMediaType(item.text, dialect));
  if (text.length <= MAX_HEADER_LENGTH) {
    if (known.size >= MAX_ENTRIES) known.clear();
    known.set(text, types);
  }
  return types;
}

/** Whether the client prefers HTML to JSON and any other type, as browsers do. */
export function prefersHtml(header: string | undefined): boolean {
  if (header === undefined || !/text\/html/iu.test(header)) return false;
  const items = header.split(',').map(parseItem);
  const best = (pattern: RegExp): number =>
    Math.max(0, ...items.map(({ text, quality }) => (pattern.test(text) ? quality : 0)));
  const html = best(/^text\/html(?:;|$)/iu);
  return html > best(/json/iu) && html >= best(/^(?:application\/)?\*/u);
}

function parseItem(raw: string): AcceptItem {
  const item = raw.includes(' ') ? raw.replaceAll(' ', '') : raw;
  const qualityAt = item.indexOf(';q=');
  const text = qualityAt < 0 ? item : item.slice(0, qualityAt);
  return {
    text,
    quality: qualityAt < 0 ? 1 : parseQuality(item.slice(qualityAt + 3)),
    specificity: countOf(text, ';') - countOf(text, '*'),
  };
}

/** Returns 1 for text that is not a number. */
function parseQuality(text: string): number {
  const number = text.split(';', 1)[0] ?? '';
  return /^\d+(?:\.\d*)?$/.test(number) ? Number(number) : 1;
}

function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}

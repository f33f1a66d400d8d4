// Finds the entries that match the search text, best first. Equal matches keep their order.

export interface Searchable {
  readonly name: string;
  readonly comment: string;
}

export function rankEntries<Item extends Searchable>(entries: readonly Item[], typed: string): readonly Item[] {
  const query = normalize(typed.trim());
  if (query === '') return entries;
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry, query) }))
    .filter(({ rank }) => rank < UNFIT)
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
}

const UNFIT = 7;

function rankOf({ name, comment }: Searchable, query: string): number {
  const text = normalize(name);
  if (text === query) return 0;
  if (text.startsWith(query)) return 1;
  if (wordsOf(text).some((word) => word.startsWith(query))) return 2;
  if (text.includes(query)) return 3;
  if (areInitials(query, wordsOf(text))) return 4;
  if (normalize(comment).includes(query)) return 5;
  return isSpreadOver(query, text) ? 6 : UNFIT;
}

/** Removes accents and converts to lower case. */
function normalize(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[^\p{L}\p{N}]+/u);
}

/** `rs` matches `resident_skills`. */
function areInitials(query: string, words: readonly string[]): boolean {
  return words
    .map((word) => word.slice(0, 1))
    .join('')
    .startsWith(query);
}

/** Returns whether the text contains all letters of the query in order. */
function isSpreadOver(query: string, text: string): boolean {
  let at = -1;
  return Array.from(query).every((letter) => {
    at = text.indexOf(letter, at + 1);
    return at >= 0;
  });
}

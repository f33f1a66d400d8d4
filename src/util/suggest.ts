// Suggests the existing name most similar to one that was not found (`writing.md` §14.10, `reading.md` §11.3). Grams
// narrow tens of thousands of names down to 50 candidates, which are then ranked by edit distance.

/** Trigrams first; bigrams only if trigrams find nothing. */
const GRAM_LENGTHS = [3, 2];
const MAX_CANDIDATES = 50;

export type Names = readonly string[] | ReadonlyMap<string, unknown>;

interface NameIndex {
  /** Original spellings by lower-cased name. */
  readonly spellings: ReadonlyMap<string, readonly string[]>;
  /** Distinct names in their original order: the first visible spelling of a key depends on the role. */
  readonly names: readonly string[];
  /** Lower-cased names, parallel to `names`. */
  readonly keys: readonly string[];
  /** Indexes by gram length, built on first use. */
  readonly grams: Map<number, GramIndex>;
}

export interface SuggestionOptions {
  /** Minimum similarity, from 0 to 1. */
  readonly minimum: number;
  /** Limits suggestions to some of the names; without it, any name may be suggested. */
  readonly isVisible?: (name: string) => boolean;
}

/** Cached as long as the list of names exists. */
const nameIndexes = new WeakMap<Names, NameIndex>();

/**
 * Returns the visible name most similar to `query`, ignoring case, if it reaches the minimum similarity. The index is
 * cached by the identity of `names`, which must not be mutated: for large sets pass the object of the schema cache.
 */
export function suggest(names: Names, query: string, { minimum, isVisible }: SuggestionOptions): string | undefined {
  const index = nameIndexOf(names);
  const key = query.toLowerCase();
  const spell = (found: string): string | undefined =>
    index.spellings.get(found)?.find((name) => isVisible?.(name) ?? true);
  const same = spell(key);
  if (same !== undefined) return same;
  const isCandidate = (position: number): boolean => spell(index.keys[position] ?? '') === index.names[position];
  for (const length of GRAM_LENGTHS) {
    const positions = rankByGrams(gramIndexOf(index, length), key, isCandidate);
    const candidates = positions.map((position) => index.keys[position] ?? '');
    const best = mostSimilar(candidates, key, minimum);
    if (best !== undefined) return spell(best);
  }
  return undefined;
}

function nameIndexOf(names: Names): NameIndex {
  const existing = nameIndexes.get(names);
  if (existing !== undefined) return existing;
  const different = [...new Set('get' in names ? names.keys() : names)];
  const keys = different.map((name) => name.toLowerCase());
  const spellings = new Map<string, string[]>();
  for (const [position, name] of different.entries()) {
    const key = keys[position] ?? '';
    const same = spellings.get(key);
    if (same === undefined) spellings.set(key, [name]);
    else same.push(name);
  }
  const index: NameIndex = { spellings, names: different, keys, grams: new Map() };
  nameIndexes.set(names, index);
  return index;
}

function gramIndexOf(index: NameIndex, length: number): GramIndex {
  const existing = index.grams.get(length);
  if (existing !== undefined) return existing;
  const built = buildGramIndex(index.keys, length);
  index.grams.set(length, built);
  return built;
}

/** Prefers the first of several equally similar candidates. */
function mostSimilar(candidates: readonly string[], query: string, minimum: number): string | undefined {
  let best: string | undefined;
  let bestSimilarity = 0;
  for (const candidate of candidates) {
    const longest = Math.max(query.length, candidate.length);
    // The distance is at least the difference in length, so names far too short or long are not measured.
    const bound = 1 - Math.abs(query.length - candidate.length) / longest;
    const similarity = bound < minimum ? 0 : 1 - editDistance(query, candidate) / longest;
    if (similarity >= minimum && (best === undefined || similarity > bestSimilarity)) {
      best = candidate;
      bestSimilarity = similarity;
    }
  }
  return best;
}

interface GramIndex {
  readonly length: number;
  /** For each gram, the positions of the names that contain it, ascending; a position repeats once per occurrence. */
  readonly positions: ReadonlyMap<string, readonly number[]>;
  /** Euclidean norm of each name's vector of gram counts. */
  readonly magnitudes: Float64Array;
}

/**
 * Indexes names by their n-grams and finds the names most similar to a text: the cosine similarity of their vectors of
 * n-gram counts (`writing.md` §14.10).
 */
function buildGramIndex(names: readonly string[], length: number): GramIndex {
  const positions = new Map<string, number[]>();
  const magnitudes = new Float64Array(names.length);
  for (const [position, name] of names.entries()) {
    const grams = countGrams(name, length);
    magnitudes[position] = magnitudeOf(grams);
    for (const [gram, count] of grams) {
      let list = positions.get(gram);
      if (list === undefined) positions.set(gram, (list = []));
      for (let repeat = 0; repeat < count; repeat++) list.push(position);
    }
  }
  return { length, positions, magnitudes };
}

/**
 * Returns the positions of the candidates that share most grams with `text`, most similar first; ties keep their order.
 */
function rankByGrams(index: GramIndex, text: string, isCandidate: (position: number) => boolean): readonly number[] {
  const grams = countGrams(text, index.length);
  const products = new Float64Array(index.magnitudes.length);
  for (const [gram, count] of grams) {
    for (const position of index.positions.get(gram) ?? []) products[position] = (products[position] ?? 0) + count;
  }
  const magnitude = magnitudeOf(grams);
  const ranked: { readonly position: number; readonly cosine: number }[] = [];
  for (const [position, product] of products.entries()) {
    if (product === 0) continue;
    const cosine = product / (magnitude * (index.magnitudes[position] ?? 0));
    if (ranked.length === MAX_CANDIDATES && cosine <= (ranked.at(-1)?.cosine ?? 0)) continue;
    if (!isCandidate(position)) continue;
    const place = ranked.findLastIndex((other) => other.cosine >= cosine) + 1;
    ranked.splice(place, 0, { position, cosine });
    if (ranked.length > MAX_CANDIDATES) ranked.pop();
  }
  return ranked.map(({ position }) => position);
}

/** Counts the grams of the text's letters, digits, white space and commas; a hyphen marks both ends. */
function countGrams(text: string, length: number): ReadonlyMap<string, number> {
  const marked = `-${text.replaceAll(/[^\p{L}\p{Nd}\s,]/gu, '')}-`;
  const counts = new Map<string, number>();
  for (let start = 0; start + length <= marked.length; start++) {
    const gram = marked.slice(start, start + length);
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}

function magnitudeOf(grams: ReadonlyMap<string, number>): number {
  let squares = 0;
  for (const count of grams.values()) squares += count * count;
  return Math.sqrt(squares);
}

/** Computes the Levenshtein distance of two strings in UTF-16 code units. */
export function editDistance(a: string, b: string): number {
  /** Distances between the part of `a` read so far and each prefix of `b`. */
  const distances = Array.from({ length: b.length + 1 }, (_, length) => length);
  for (let row = 1; row <= a.length; row++) {
    let diagonal = distances[0] ?? 0;
    let left = row;
    distances[0] = row;
    for (let column = 1; column <= b.length; column++) {
      const above = distances[column] ?? 0;
      const isSame = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      left = isSame ? diagonal : Math.min(diagonal, above, left) + 1;
      distances[column] = left;
      diagonal = above;
    }
  }
  return distances[b.length] ?? 0;
}

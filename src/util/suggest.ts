// Suggests the existing name most similar to one that was not found (`writing.md` §14.10, `reading.md` §11.3). Grams
// narrow tens of thousands of names down to 50 candidates, which are then ranked by edit distance.
import { editDistance } from './edit-distance.ts';
import { buildGramIndex, rankByGrams, type GramIndex } from './gram-index.ts';

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
    const positions = rankByGrams(gramIndexOf(index, length), key, { limit: MAX_CANDIDATES, isCandidate });
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

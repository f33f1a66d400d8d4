// A name that was not found, and those there are, to the one that was probably meant (`writing.md` §14.10,
// `reading.md` §11.3). Grams narrow tens of thousands of names down to 50, which the edit distance then ranks.
import { editDistance } from './edit-distance.ts';
import { buildGramIndex, rankByGrams, type GramIndex } from './gram-index.ts';

/** Tried in order. */
const GRAM_LENGTHS = [3, 2];
const MAX_CANDIDATES = 50;

export type Names = readonly string[] | ReadonlyMap<string, unknown>;

interface NameIndex {
  /** By lower-cased name. */
  readonly spellings: ReadonlyMap<string, readonly string[]>;
  /** The different names, in order: which spelling of a key is the first depends on who sees them. */
  readonly names: readonly string[];
  /** Their keys, by position. */
  readonly keys: readonly string[];
  /** By gram length; made when first needed. */
  readonly grams: Map<number, GramIndex>;
}

export interface Wanted {
  /** Of the similarity, 0 to 1. */
  readonly minimum: number;
  /** Whether a name may be suggested; undefined: each. */
  readonly isVisible?: (name: string) => boolean;
}

/** Kept as long as the names themselves. */
const nameIndexes = new WeakMap<Names, NameIndex>();

/**
 * The visible name most similar to `query`, compared without case, if it is similar enough. The index is kept by the
 * identity of `names`, which must not change: large sets should come as the object of the schema cache.
 */
export function suggest(names: Names, query: string, { minimum, isVisible }: Wanted): string | undefined {
  const index = nameIndexOf(names);
  const key = query.toLowerCase();
  const spell = (found: string): string | undefined =>
    index.spellings.get(found)?.find((name) => isVisible?.(name) ?? true);
  const same = spell(key);
  if (same !== undefined) return same;
  const isCandidate = (position: number): boolean => spell(index.keys[position] ?? '') === index.names[position];
  for (const length of GRAM_LENGTHS) {
    const positions = rankByGrams(gramIndexOf(index, length), key, { most: MAX_CANDIDATES, isCandidate });
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

/** Among equals the first. */
function mostSimilar(candidates: readonly string[], query: string, minimum: number): string | undefined {
  let best: string | undefined;
  let bestSimilarity = 0;
  for (const candidate of candidates) {
    const longest = Math.max(query.length, candidate.length);
    // No distance is smaller than the difference in length: names far too short or long need no measuring.
    const bound = 1 - Math.abs(query.length - candidate.length) / longest;
    const similarity = bound < minimum ? 0 : 1 - editDistance(query, candidate) / longest;
    if (similarity >= minimum && (best === undefined || similarity > bestSimilarity)) {
      best = candidate;
      bestSimilarity = similarity;
    }
  }
  return best;
}

// Indexes names by their n-grams and finds the names most similar to a text: the cosine similarity of their vectors of
// n-gram counts (`writing.md` §14.10).

export interface GramIndex {
  readonly length: number;
  /** For each gram, the positions of the names that contain it, ascending; a position repeats once per occurrence. */
  readonly positions: ReadonlyMap<string, readonly number[]>;
  /** Euclidean norm of each name's vector of gram counts. */
  readonly magnitudes: Float64Array;
}

export function buildGramIndex(names: readonly string[], length: number): GramIndex {
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

export interface Ranking {
  /** Maximum number of names to return. */
  readonly limit: number;
  readonly isCandidate: (position: number) => boolean;
}

/** Returns the positions of candidates that share a gram with `text`, most similar first; ties keep their order. */
export function rankByGrams(index: GramIndex, text: string, { limit, isCandidate }: Ranking): readonly number[] {
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
    if (ranked.length === limit && cosine <= (ranked.at(-1)?.cosine ?? 0)) continue;
    if (!isCandidate(position)) continue;
    const place = ranked.findLastIndex((other) => other.cosine >= cosine) + 1;
    ranked.splice(place, 0, { position, cosine });
    if (ranked.length > limit) ranked.pop();
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

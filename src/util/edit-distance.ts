// Computes the edit distance of two strings, for suggestions.

/** Levenshtein distance in UTF-16 code units. */
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

// Sorts names by code point, the order used wherever clients can see one (`writing.md` §4.1, §14.3).

/** Compares by Unicode code point. `<` compares UTF-16 code units and sorts U+FF01 after U+1F600. */
export function compareCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    if (a.charCodeAt(index) !== b.charCodeAt(index)) {
      return (a.codePointAt(index) ?? 0) - (b.codePointAt(index) ?? 0);
    }
  }
  return a.length - b.length;
}

/** Returns the distinct names in code-point order. */
export function sortedNames(names: Iterable<string>): readonly string[] {
  return [...new Set(names)].sort(compareCodePoints);
}

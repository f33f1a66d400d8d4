// Computes the visible lines of a text with folded regions.

export interface Fold {
  /** The line that stays visible. */
  readonly line: number;
  /** The last hidden line. */
  readonly end: number;
}

export interface VisibleLines {
  readonly count: number;
  lineAt(index: number): number;
  isFolded(line: number): boolean;
}

/** @param folds at most one per line; nested folds have no effect */
export function hideFolded(count: number, folds: readonly Fold[]): VisibleLines {
  const folded = new Set(folds.map((fold) => fold.line));
  const outer = findOuter(folds);
  /** Total number of lines hidden by the folds up to each one. */
  const hidden: number[] = [];
  for (const { line, end } of outer) hidden.push((hidden.at(-1) ?? 0) + end - line);
  const hiddenBefore = (fold: number): number => hidden[fold - 1] ?? 0;
  const lineAt = (index: number): number => {
    let [low, high] = [0, outer.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((outer[middle]?.line ?? 0) - hiddenBefore(middle) < index) low = middle + 1;
      else high = middle;
    }
    return index + hiddenBefore(low);
  };
  return { count: count - (hidden.at(-1) ?? 0), lineAt, isFolded: (line) => folded.has(line) };
}

function findOuter(folds: readonly Fold[]): readonly Fold[] {
  const outer: Fold[] = [];
  for (const fold of folds.toSorted((a, b) => a.line - b.line)) {
    if (fold.line > (outer.at(-1)?.end ?? -1)) outer.push(fold);
  }
  return outer;
}

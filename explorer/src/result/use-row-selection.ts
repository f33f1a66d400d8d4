// The selected rows of the table, by index. A range extends from the row selected last.
import { useEffect, useRef, useState } from 'preact/hooks';

export interface RowSelection {
  readonly rows: ReadonlySet<number>;
  readonly toggle: (index: number) => void;
  /** Adds the rows from the one selected last, or else from `start`, to `end`. */
  readonly extend: (start: number, end: number) => void;
  readonly toggleAll: () => void;
  readonly clear: () => void;
}

/** @param source identifies the rows at their places; others are not selected */
export function useRowSelection(source: readonly unknown[], count: number): RowSelection {
  const [rows, setRows] = useState<ReadonlySet<number>>(NONE);
  const anchor = useRef<number | undefined>(undefined);
  const clear = (): void => {
    anchor.current = undefined;
    setRows(NONE);
  };
  useEffect(clear, source);
  return {
    rows,
    toggle(index) {
      const next = new Set(rows);
      if (!next.delete(index)) next.add(index);
      anchor.current = next.has(index) ? index : undefined;
      setRows(next);
    },
    extend(start, end) {
      anchor.current ??= start;
      const [first, last] = [Math.min(anchor.current, end), Math.max(anchor.current, end)];
      setRows(new Set([...rows, ...Array.from({ length: last - first + 1 }, (_, offset) => first + offset)]));
    },
    toggleAll() {
      if (rows.size === count) clear();
      else setRows(new Set(Array.from({ length: count }, (_, index) => index)));
    },
    clear,
  };
}

const NONE: ReadonlySet<number> = new Set();

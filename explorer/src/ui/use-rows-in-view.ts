// Hook that returns the visible rows of a scrolling box with fixed row height. The component attaches `ref` to the box,
// sets the total height and positions each row.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

export interface RowsInView {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly first: number;
  /** Exclusive end. */
  readonly end: number;
  readonly scrollTo: (index: number) => void;
}

/** Extra rows beyond both edges, so that fast scrolling shows no gaps. */
const SPARE_ROWS = 8;

export function useRowsInView(count: number, rowHeightPx: number): RowsInView {
  const box = useRef<HTMLDivElement>(null);
  const [{ top, height }, setView] = useState({ top: 0, height: 800 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const read = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(read);
    observer.observe(element);
    element.addEventListener('scroll', read, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', read);
    };
  }, []);
  return {
    box,
    first: Math.max(0, Math.floor(top / rowHeightPx) - SPARE_ROWS),
    end: Math.min(count, Math.ceil((top + height) / rowHeightPx) + SPARE_ROWS),
    scrollTo(index) {
      const element = box.current;
      if (element === null) return;
      const start = index * rowHeightPx;
      if (start < element.scrollTop) element.scrollTop = start;
      const over = start + rowHeightPx - element.clientHeight;
      if (over > element.scrollTop) element.scrollTop = over;
    },
  };
}

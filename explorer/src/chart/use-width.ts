// Hook that follows the width of an element.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

export interface Measured {
  readonly element: RefObject<HTMLDivElement | null>;
  /** Zero until the element is measured. */
  readonly widthPx: number;
}

export function useWidth(): Measured {
  const element = useRef<HTMLDivElement>(null);
  const [widthPx, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    if (element.current !== null) observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return { element, widthPx };
}

// A list of which only the rows in view are in the document. Rows measure themselves, since some unfold.
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { VNode } from 'preact';

export interface VirtualListProps {
  readonly count: number;
  readonly rowHeightPx: number;
  readonly keyOf: (index: number) => string;
  readonly renderRow: (index: number) => VNode | null;
}

export function VirtualList({ count, rowHeightPx, keyOf, renderRow }: VirtualListProps): VNode {
  const scroller = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer<number, void>((drawn) => drawn + 1, 0);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    getItemKey: keyOf,
    overscan: 6,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => redraw(),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLDivElement, HTMLElement>(options));
  virtualizer.setOptions(options);
  const { _didMount: observe, _willUpdate: update } = virtualizer;
  useLayoutEffect(() => observe(), [virtualizer]);
  useLayoutEffect(() => update());
  return (
    <div class="builder-scroller" ref={scroller}>
      <div class="builder-scrolled" role="list" style={{ height: `${virtualizer.getTotalSize()}px` }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => (
          <div
            key={key}
            role="listitem"
            aria-setsize={count}
            aria-posinset={index + 1}
            data-index={index}
            ref={virtualizer.measureElement}
            class="builder-scrolled-row"
            style={{ transform: `translateY(${start}px)` }}
          >
            {renderRow(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

// @tanstack/virtual-core as a hook that re-renders the component when other rows or columns become visible.
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

type Own = 'observeElementRect' | 'observeElementOffset' | 'scrollToFn' | 'onChange';
type Options = Omit<VirtualizerOptions<HTMLDivElement, HTMLDivElement>, Own>;
export type BoxVirtualizer = Virtualizer<HTMLDivElement, HTMLDivElement>;

export function useVirtualizer(options: Options): BoxVirtualizer {
  const [, render] = useReducer((count: number) => count + 1, 0);
  const all = {
    ...options,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => render(0),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLDivElement, HTMLDivElement>(all));
  virtualizer.setOptions(all);
  // The official adapters call these two methods.
  // oxlint-disable-next-line eslint/no-underscore-dangle
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  // oxlint-disable-next-line eslint/no-underscore-dangle
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}

// Keyboard navigation for a list that renders only some entries.
import { type Signal, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';

interface EntryKeysOptions {
  readonly count: number;
  /** Its entries have a `data-index` attribute. */
  readonly box: RefObject<HTMLDivElement | null>;
  readonly scrollTo: (index: number) => void;
  readonly onLeaveUp: () => void;
}

interface EntryKeys {
  readonly active: Signal<number>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

export function useEntryKeys({ count, box, scrollTo, onLeaveUp }: EntryKeysOptions): EntryKeys {
  const active = useSignal(0);
  /** The entry to focus once it is rendered. */
  const awaited = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    const entry = box.current?.querySelector<HTMLElement>(`[data-index="${awaited.current}"]`);
    if (awaited.current === undefined || !entry) return;
    awaited.current = undefined;
    entry.focus();
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = targetOf(event.key, active.value, count);
    if (target === undefined) return;
    event.preventDefault();
    awaited.current = target < 0 ? undefined : target;
    if (target < 0) return onLeaveUp();
    active.value = target;
    scrollTo(target);
  };
  return { active, onKeyDown };
}

/** Returns -1 for a move up from the first entry. */
function targetOf(key: string, active: number, count: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(active + 1, count - 1);
  if (key === 'ArrowUp') return active - 1;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key === 'PageDown') return Math.min(active + 10, count - 1);
  return key === 'PageUp' ? Math.max(active - 10, 0) : undefined;
}

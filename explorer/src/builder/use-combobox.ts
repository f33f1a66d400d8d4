// State of a combobox for a referenced row: typed text, found rows and the active row. Enter takes the active row;
// without one, it takes the typed text if that is a valid key, else the first row, else the list stays open.
import { useState } from 'preact/hooks';
import type { Store } from '../store/store.ts';
import type { HistoryStep } from './level.ts';
import { isKey, type LookUp } from './look-up.ts';
import { type Found, useLookUp } from './use-look-up.ts';

export interface ComboboxOptions {
  readonly store: Store;
  readonly lookUp: LookUp;
  readonly value: string;
  /** Text of an earlier search that ended without a row. */
  readonly unmatched?: string | undefined;
  readonly onValue: (value: string, step: HistoryStep) => void;
  /** Takes the text of a search that ends without a row; without it, the text is dropped. */
  readonly onUnmatched?: ((text: string) => void) | undefined;
}

export interface Combobox {
  /** Undefined while the list is closed. */
  readonly typed: string | undefined;
  readonly isOpen: boolean;
  /** -1 for none. */
  readonly active: number;
  readonly found: Found;
  readonly type: (text: string) => void;
  readonly open: () => void;
  readonly leave: () => void;
  readonly press: (event: KeyboardEvent) => void;
  readonly choose: (value: string) => void;
}

export function useCombobox(options: ComboboxOptions): Combobox {
  const { store, lookUp, value, unmatched, onValue, onUnmatched } = options;
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [active, setActive] = useState(-1);
  const found = useLookUp(store, lookUp, typed);
  const { rows } = found;
  const key = typed !== undefined && isKey(lookUp, typed) ? typed : '';
  const close = (): void => {
    setTyped(undefined);
    setActive(-1);
  };
  const choose = (chosen: string): void => {
    close();
    if (chosen !== '' && chosen !== value) onValue(chosen, 'push');
  };
  const press = (event: KeyboardEvent): void => {
    const target = targetOf(event.key, { active, count: rows.length });
    const isEscape = event.key === 'Escape' && typed !== undefined;
    const entered = rows[active]?.value ?? (key || rows[0]?.value);
    if (event.key === 'Enter' && (entered !== undefined || !typed)) choose(entered ?? '');
    if (isEscape) close();
    if (target !== undefined) {
      setTyped(typed ?? '');
      setActive(target);
    }
    if (isEscape || target !== undefined) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  const type = (text: string): void => {
    setTyped(text);
    setActive(-1);
  };
  const open = (): void => setTyped(typed ?? unmatched ?? '');
  const leave = (): void => {
    if (typed && key === '') onUnmatched?.(typed);
    choose(key);
  };
  return { typed, isOpen: typed !== undefined, active, found, type, open, leave, press, choose };
}

interface ListState {
  readonly active: number;
  readonly count: number;
}

function targetOf(key: string, { active, count }: ListState): number | undefined {
  if (key === 'ArrowDown') return count === 0 ? -1 : (active + 1) % count;
  if (key === 'ArrowUp') return active <= 0 ? count - 1 : active - 1;
  return undefined;
}

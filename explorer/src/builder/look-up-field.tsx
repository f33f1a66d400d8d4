// A combobox for the row that a foreign key points to: typing searches it, choosing takes its key. A key can be typed too.
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Store } from '../store/store.ts';
import { placeBelow } from '../ui/place-below.ts';
import { Name } from '../ui/text.tsx';
import type { HistoryStep } from './level.ts';
import { isKey, type LookUp, type LookUpRow } from './look-up.ts';
import { useLookUp, useRowLabel } from './use-look-up.ts';

export interface LookUpFieldProps {
  readonly store: Store;
  readonly lookUp: LookUp;
  readonly value: string;
  readonly onValue: (value: string, step: HistoryStep) => void;
}

export function LookUpField({ store, lookUp, value, onValue }: LookUpFieldProps): VNode {
  const id = useId();
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [active, setActive] = useState(-1);
  const found = useLookUp(store, lookUp, typed);
  const { rows } = found;
  const rowLabel = useRowLabel(store, lookUp, value);
  const keyOf = (text = ''): string => (isKey(lookUp, text) ? text : '');
  const choose = (chosen: string): void => {
    setTyped(undefined);
    setActive(-1);
    if (chosen !== '' && chosen !== value) onValue(chosen, 'push');
  };
  const press = (event: KeyboardEvent): void => {
    const target = targetOf(event.key, { active, count: rows.length });
    if (target !== undefined) {
      event.preventDefault();
      setTyped(typed ?? '');
      setActive(target);
    }
    if (event.key === 'Enter') choose(rows[active]?.value ?? (keyOf(typed) || rows[0]?.value) ?? '');
    if (event.key === 'Escape' && typed !== undefined) {
      event.stopPropagation();
      event.preventDefault();
      setTyped(undefined);
    }
  };
  const isOpen = typed !== undefined;
  return (
    <div class="builder-look-up">
      <input
        class="ui-input ui-input-small"
        role="combobox"
        aria-label={`Value, or search in ${lookUp.relation}`}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        {...(isOpen && active >= 0 ? { 'aria-activedescendant': `${id}-${active}` } : {})}
        autocomplete="off"
        spellcheck={false}
        placeholder={`Search ${lookUp.relation}`}
        value={typed ?? value}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setActive(-1);
        }}
        onFocus={(event) => event.currentTarget.select()}
        onClick={() => setTyped(typed ?? '')}
        onBlur={() => choose(keyOf(typed))}
        onKeyDown={press}
      />
      {rowLabel === undefined ? null : (
        <p class="builder-note">
          <Name text={rowLabel} />
        </p>
      )}
      <Choices {...{ id, isOpen, rows, active, note: found.note, onChoose: choose }} />
    </div>
  );
}

function targetOf(
  key: string,
  { active, count }: { readonly active: number; readonly count: number },
): number | undefined {
  if (key === 'ArrowDown') return count === 0 ? -1 : (active + 1) % count;
  if (key === 'ArrowUp') return active <= 0 ? count - 1 : active - 1;
  return undefined;
}

interface ChoicesProps {
  readonly id: string;
  readonly isOpen: boolean;
  readonly rows: readonly LookUpRow[];
  readonly active: number;
  readonly note: string | undefined;
  readonly onChoose: (value: string) => void;
}

/** In the top layer, so that no scrolling panel cuts it off. */
function Choices({ id, isOpen, rows, active, note, onChoose }: ChoicesProps): VNode {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = list.current;
    const anchor = element?.parentElement;
    if (!element || !anchor) return;
    element.togglePopover(isOpen);
    if (isOpen) placeBelow(element, anchor);
  }, [isOpen, rows.length]);
  useEffect(() => document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' }), [id, active]);
  return (
    <div ref={list} class="builder-choices" popover="manual">
      <div id={`${id}-list`} role="listbox" aria-label="Rows found">
        {rows.map(({ value, label }, index) => (
          <div
            key={value}
            id={`${id}-${index}`}
            role="option"
            class="builder-choice"
            aria-selected={index === active}
            onMouseDown={(event) => {
              event.preventDefault();
              onChoose(value);
            }}
          >
            <Name text={label === '' ? value : label} />
            {label === '' ? null : <span class="builder-type">{value}</span>}
          </div>
        ))}
      </div>
      <p class="builder-note" role="status">
        {note}
      </p>
    </div>
  );
}

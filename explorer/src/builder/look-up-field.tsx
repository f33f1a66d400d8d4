// A combobox for the row that a foreign key points to: typing searches it, choosing takes its key. A key can be typed too.
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Store } from '../store/store.ts';
import { placeBelow } from '../ui/place-below.ts';
import { Name } from '../ui/text.tsx';
import type { HistoryStep } from './level.ts';
import { isKey, type LookUp, type LookUpRow, lookUpRequest, readLookUp } from './look-up.ts';

export interface LookUpFieldProps {
  readonly store: Store;
  readonly lookUp: LookUp;
  readonly value: string;
  readonly onValue: (value: string, step: HistoryStep) => void;
}

const PAUSE_MS = 200;

export function LookUpField({ store, lookUp, value, onValue }: LookUpFieldProps): VNode {
  const id = useId();
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [active, setActive] = useState(-1);
  const found = useLookUp(store, lookUp, typed);
  const { rows } = found;
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

interface Found {
  readonly rows: readonly LookUpRow[];
  readonly note: string | undefined;
}

const NOTHING: Found = { rows: [], note: undefined };

/** @param search undefined: nothing is to be looked up */
function useLookUp(store: Store, lookUp: LookUp, search: string | undefined): Found {
  const [found, setFound] = useState(NOTHING);
  const { relation } = lookUp;
  useEffect(() => {
    if (search === undefined) return setFound(NOTHING);
    const abort = new AbortController();
    const timer = setTimeout(
      async () => {
        const exchange = await store.send(lookUpRequest(lookUp, search), abort.signal);
        if (abort.signal.aborted) return;
        const rows = readLookUp(lookUp, exchange);
        if (rows === undefined) setFound({ rows: [], note: `${relation} cannot be read. Type the value itself.` });
        else setFound({ rows, note: rows.length === 0 ? 'No row has this text.' : undefined });
      },
      search === '' ? 0 : PAUSE_MS,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [store, relation, search]);
  return found;
}

// A combobox for a referenced row: typing searches for rows, choosing one takes its key. Also accepts a key directly.
import { useEffect, useId, useRef } from 'preact/hooks';
import type { VNode } from 'preact';
import { placeBelow } from '../ui/place-below.ts';
import { Name } from '../ui/text.tsx';
import { type ComboboxOptions, useCombobox } from './use-combobox.ts';
import { type Found, useRowLabel } from './use-look-up.ts';
// Forms use the field without the rest of the builder.
import './builder.css';

export function LookUpField(props: ComboboxOptions): VNode {
  const { store, lookUp, value, unmatched } = props;
  const id = useId();
  const rowLabel = useRowLabel(store, lookUp, value);
  const { typed, active, found, isOpen, ...handlers } = useCombobox(props);
  return (
    <div class="builder-look-up">
      <input
        class="ui-input ui-input-small"
        role="combobox"
        aria-label={`Value, or search ${lookUp.relation}`}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        {...(isOpen && active >= 0 ? { 'aria-activedescendant': `${id}-${active}` } : {})}
        autocomplete="off"
        spellcheck={false}
        placeholder={`Search ${lookUp.relation}`}
        value={typed ?? unmatched ?? value}
        onInput={(event) => handlers.type(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onClick={handlers.open}
        onBlur={handlers.leave}
        onKeyDown={handlers.press}
      />
      {rowLabel === undefined ? null : (
        <p class="builder-note">
          <Name text={rowLabel} />
        </p>
      )}
      <Choices {...{ id, isOpen, active, found }} onChoose={handlers.choose} />
    </div>
  );
}

interface ChoicesProps {
  readonly id: string;
  readonly isOpen: boolean;
  readonly active: number;
  readonly found: Found;
  readonly onChoose: (value: string) => void;
}

/** Rendered in the top layer, so that no scrolling panel clips it. */
function Choices({ id, isOpen, active, found: { rows, note }, onChoose }: ChoicesProps): VNode {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = list.current;
    const anchor = element?.parentElement;
    if (!element || !anchor) return;
    element.togglePopover(isOpen);
    element.style.minWidth = `${anchor.getBoundingClientRect().width}px`;
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
            class="ui-row ui-gap-3 builder-choice"
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

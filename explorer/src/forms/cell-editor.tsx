// Edits the value of one cell in the table with the input of its type. Enter saves, Escape cancels, Tab saves and goes on
// to the next cell, and leaving the cell saves a changed value.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { VNode } from 'preact';
import { findLookUp } from '../builder/look-up.ts';
import type { EditorStep } from '../result/table-props.ts';
import { Button } from '../ui/button.tsx';
import { Kbd, Spinner } from '../ui/text.tsx';
import { NULL, textValue } from './field-value.ts';
import { type CellEditorProps, type Refusal, useCellDraft } from './use-cell-draft.ts';
import { ValueField } from './value-field.tsx';
import './cell-editor.css';

export function CellEditor(props: CellEditorProps): VNode {
  const { store, schema, relation, column } = props;
  const box = useRef<HTMLDivElement>(null);
  const draft = useCellDraft(props);
  const step = useRef<EditorStep>('stay');
  // Keys that are pressed at once go to the input.
  useLayoutEffect(() => {
    // A double click has selected text of the table.
    getSelection()?.removeAllRanges();
    focusInput(box.current);
    keepInGrid(box.current);
    box.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, []);
  useEffect(() => {
    if (draft.error !== undefined) focusInput(box.current);
  }, [draft.error]);
  const leave = (event: FocusEvent): void => {
    const isInside = event.relatedTarget instanceof Node && box.current?.contains(event.relatedTarget) === true;
    if (!isInside && document.hasFocus()) draft.save(step.current);
  };
  const setNull = (): void => {
    if (column.isNullable) draft.change(NULL);
    focusInput(box.current);
  };
  const press = (event: KeyboardEvent): void => {
    const action = actionOf(event);
    if (action === undefined || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    if (action === 'cancel') draft.cancel();
    else if (action === 'null') setNull();
    else if (action === 'stay') draft.save('stay');
    else {
      step.current = action;
      // A combobox takes its text when it loses the focus.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      step.current = 'stay';
    }
  };
  return (
    <div
      ref={box}
      class="ui-stack ui-gap-2 cell-editor"
      role="group"
      aria-label={`Edit ${column.name}`}
      onKeyDown={press}
      onFocusOut={leave}
    >
      <ValueField
        store={store}
        label={column.name}
        input={draft.input}
        value={draft.value}
        placeholder=""
        lookUp={findLookUp(schema, relation, column.name)}
        error={draft.error && describe(draft.error)}
        onText={(text) => draft.change(textValue(text))}
        onUnmatched={(text) => draft.change({ kind: 'unmatched', text })}
      />
      <div class="ui-row ui-gap-2">
        {column.isNullable ? (
          <Button size="small" variant="quiet" title="Ctrl + Delete" onClick={setNull}>
            Set to null
          </Button>
        ) : null}
        {draft.isSaving ? <Spinner label="Saving" /> : null}
        <span class="cell-editor-keys">
          <Kbd>Enter</Kbd> save <Kbd>Esc</Kbd> cancel
        </span>
      </div>
    </div>
  );
}

function describe({ message, details }: Refusal): string {
  return details === undefined ? message : `${message} (${details})`;
}

type EditorAction = EditorStep | 'cancel' | 'null';

function actionOf({ key, shiftKey, ctrlKey, metaKey, target }: KeyboardEvent): EditorAction | undefined {
  if (key === 'Escape') return 'cancel';
  if (key === 'Tab') return shiftKey ? 'previous' : 'next';
  if (key === 'Delete' && (ctrlKey || metaKey)) return 'null';
  // In an open combobox, Enter chooses a row; on a button, it presses it.
  const isTaken =
    target instanceof HTMLElement && (target.matches('button') || target.getAttribute('aria-expanded') === 'true');
  return key === 'Enter' && !shiftKey && !isTaken ? 'stay' : undefined;
}

/** In a narrow column at the end of the table, the editor grows towards the start. */
function keepInGrid(box: HTMLElement | null): void {
  const rows = box?.closest('.result-rows');
  if (!box || !rows) return;
  const isCut = box.getBoundingClientRect().right > rows.getBoundingClientRect().right;
  box.classList.toggle('cell-editor-end', isCut);
}

function focusInput(box: HTMLElement | null): void {
  const input = box?.querySelector<HTMLElement>('input, textarea, select');
  input?.focus();
  if (input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement) input.select();
}

// The value being typed into a cell, and saving it.
import type { DescribedColumn, DescribedRelation } from '../../../src/contract/schema-document.ts';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { EditedCell, EditorStep } from '../result/table-props.ts';
import { keyOf } from '../rows/row-links.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Store } from '../store/store.ts';
import { type FieldValue, isSameValue } from './field-value.ts';
import type { FormError } from './form-error.ts';
import { finishWrite, keyOfStored, rowOfResponse } from './finish-write.ts';
import { type FormField, renderBody } from './form-fields.ts';
import { type FormInput, formInputFor } from './form-input.ts';
import { revertUpdate } from './inverse-requests.ts';
import { urlOfKeys } from '../rows/row-keys.ts';
import { updateRequest } from './row-requests.ts';
import { useSending } from './use-sending.ts';
import { fromJson } from './value-json.ts';

export interface CellEditorProps {
  readonly store: Store;
  readonly schema: SchemaIndex;
  readonly relation: DescribedRelation;
  readonly column: DescribedColumn;
  readonly cell: EditedCell;
}

/** Why a value cannot be saved. */
export type Refusal = Pick<FormError, 'message' | 'details'>;

export interface CellDraft {
  readonly input: FormInput;
  readonly value: FieldValue;
  /** A new object for each refusal. */
  readonly error: Refusal | undefined;
  readonly isSaving: boolean;
  readonly change: (value: FieldValue) => void;
  /** Closes the editor once the value is saved, or at once if it has not changed. */
  readonly save: (step: EditorStep) => void;
  readonly cancel: () => void;
}

export function useCellDraft({ store, schema, relation, column, cell }: CellEditorProps): CellDraft {
  const field = useMemo((): FormField => {
    const input = formInputFor(column.type, cell.value);
    return { column, input, initial: fromJson(cell.value, input), isRequired: false };
  }, []);
  const [value, setValue] = useState(field.initial);
  const [problem, setProblem] = useState<Refusal | undefined>(undefined);
  /** Events of one key press follow each other before the next rendering. */
  const latest = useRef(value);
  const step = useRef<EditorStep>('stay');
  const isOver = useRef(false);
  const close = (): void => {
    if (isOver.current) return;
    isOver.current = true;
    cell.onClose(step.current);
  };
  const before = keyOf(cell.row);
  const sending = useSending(store, (response) => {
    const row = rowOfResponse(response);
    const after = (row && keyOfStored(store, relation, row)) ?? before;
    if (before !== undefined && after !== undefined) {
      const previous = { kind: 'object', entries: [[column.name, cell.value]] } as const;
      const undo = revertUpdate(relation, [column.name], [{ row: previous, before, after }]);
      finishWrite(store, { relation, text: `Updated ${column.name}`, rows: [{ before, after }], undo });
    }
    close();
  });
  const { state } = sending;
  return {
    input: field.input,
    value,
    error: problem ?? (state.kind === 'failed' ? state.error : undefined),
    isSaving: state.kind === 'sending',
    change(next) {
      latest.current = next;
      setValue(next);
      setProblem(undefined);
      sending.forget();
    },
    save(next) {
      if (isOver.current || before === undefined) return;
      step.current = next;
      if (isSameValue(latest.current, field.initial)) return close();
      const body = renderBody([field], new Map([[column.name, latest.current]]));
      if (!body.ok) return setProblem({ message: body.error.get(column.name) ?? '', details: undefined });
      const target = { relation, vendor: schema.document.mediaVendor };
      return sending.send(updateRequest(target, { url: urlOfKeys(relation, [before]) }, body.value));
    },
    cancel() {
      step.current = 'stay';
      close();
    },
  };
}

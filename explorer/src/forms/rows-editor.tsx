// The form that changes several rows: the entered values apply to all of them.
import { useMemo, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import { findLookUp } from '../builder/look-up.ts';
import type { RowKey } from '../rows/row-links.ts';
import type { Store } from '../store/store.ts';
import { FieldList } from './field-list.tsx';
import { type FieldValues, valueOf } from './field-value.ts';
import { finishWrite } from './finish-write.ts';
import { FormDialog } from './form-dialog.tsx';
import { initialValues, listChanged, listFields, renderBody } from './form-fields.ts';
import { FormRow } from './form-row.tsx';
import { revertUpdate } from './inverse-requests.ts';
import { RelationTitle } from './relation-title.tsx';
import { updateRowsRequest } from './row-requests.ts';
import { useSending } from './use-sending.ts';
import { countRows } from '../rows/pages.ts';
import { reasonOfStored, useStoredRows } from './use-stored-rows.ts';

export interface RowsFormProps {
  readonly store: Store;
  readonly relation: DescribedRelation;
  readonly keys: readonly RowKey[];
  /** Closes the form. */
  readonly onDone: () => void;
}

export function RowsEditor({ store, relation, keys, onDone }: RowsFormProps): VNode | null {
  const schema = store.schema.value;
  const fields = useMemo(() => listSharedFields(relation), [relation]);
  const [values, setValues] = useState<FieldValues>(() => initialValues(fields));
  const stored = useStoredRows(store, relation, keys);
  const found = stored.kind === 'read' ? stored : { rows: [], keys };
  const sending = useSending(store, () => {
    const rows = found.keys.map((key) => ({ before: key, after: key }));
    const previous = found.rows.map((row, index) => ({
      row,
      before: found.keys[index] ?? [],
      after: found.keys[index] ?? [],
    }));
    const undo = revertUpdate(relation, listChanged(fields, values), previous);
    finishWrite(store, { relation, text: `Updated ${countRows(rows.length)} of ${relation.name}`, rows, undo });
    onDone();
  });
  const body = renderBody(fields, values);
  const isEmpty = body.ok && body.value === '{}';
  const reason = reasonOfStored(stored) ?? (isEmpty ? 'Enter a value to change.' : undefined);
  if (schema.kind !== 'ready') return null;
  return (
    <FormDialog
      {...{ store, sending }}
      title={<RelationTitle verb={`Edit ${countRows(found.keys.length)} of`} relation={relation} />}
      label={`Update ${countRows(found.keys.length)}`}
      request={body.ok && reason === undefined ? updateRowsRequest(relation, found.keys, body.value) : undefined}
      blockedReason={reason ?? 'A value is invalid.'}
      onCancel={onDone}
    >
      <p class="forms-note">Values that you enter here replace those of all selected rows. Others stay as they are.</p>
      <FieldList
        fields={fields}
        nameOf={({ column }) => column.name}
        render={(field) => (
          <FormRow
            key={field.column.name}
            {...field.column}
            {...field}
            store={store}
            lookUp={findLookUp(schema.value, relation, field.column.name)}
            placeholder="unchanged"
            value={valueOf(values, field.column.name)}
            error={body.ok ? undefined : body.error.get(field.column.name)}
            onValue={(value) => {
              sending.forget();
              setValues(new Map(values).set(field.column.name, value));
            }}
          />
        )}
      />
    </FormDialog>
  );
}

/** Several rows cannot have the same key. */
function listSharedFields(relation: DescribedRelation): ReturnType<typeof listFields>['fields'] {
  const { fields } = listFields(relation, { kind: 'object', entries: [] });
  return fields.filter(({ column }) => !relation.key.includes(column.name));
}

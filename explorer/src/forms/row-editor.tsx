// The fields of a row, the request that they make, and what the server says to it.
import { useMemo, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import { findLookUp } from '../builder/look-up.ts';
import type { OutgoingRequest } from '../client/exchange.ts';
import type { JsonObject } from '../result/json-value.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Store } from '../store/store.ts';
import { showToast } from '../ui/toast.tsx';
import { FieldList } from './field-list.tsx';
import { type FieldValues, valueOf } from './field-value.ts';
import type { FormError } from './form-error.ts';
import { FormDialog } from './form-dialog.tsx';
import { type FormField, initialValues, listFields, type Problems, renderBody } from './form-fields.ts';
import { FormRow } from './form-row.tsx';
import { RelationTitle } from './relation-title.tsx';
import { insertRequest, updateRequest } from './row-requests.ts';
import { useSending } from './use-sending.ts';

export interface RowEditing {
  readonly store: Store;
  readonly relation: DescribedRelation;
  /** @param hasWritten whether rows are other than before */
  readonly onDone: (hasWritten: boolean) => void;
}

export interface RowEditorProps extends RowEditing {
  readonly schema: SchemaIndex;
  /** The row to change. */
  readonly stored: { readonly url: string; readonly row: JsonObject } | undefined;
}

export function RowEditor({ store, relation, schema, stored, onDone }: RowEditorProps): VNode {
  const { fields, generated, withheld } = useMemo(() => listFields(relation, stored?.row), [relation, stored]);
  const [values, setValues] = useState<FieldValues>(() => initialValues(fields));
  const [isBlocked, setBlocked] = useState(false);
  const words = stored === undefined ? INSERTING : CHANGING;
  const sending = useSending(store, () => {
    showToast(`${words.done} ${relation.name}`);
    onDone(true);
  });
  const body = renderBody(fields, values);
  const isUnchanged = stored !== undefined && body.ok && body.value === '{}';
  const target = { relation, vendor: schema.document.mediaVendor };
  const make = (text: string): OutgoingRequest =>
    stored === undefined ? insertRequest(target, text) : updateRequest(target, stored.url, text);
  const refused = sending.state.kind === 'failed' ? sending.state.error : undefined;
  const told: ToldProblems = { refused, problems: body.ok ? NONE : body.error, isBlocked, values };
  return (
    <FormDialog
      {...{ store, sending }}
      isErrorAtFields={fields.some((field) => refused?.columns.includes(field.column.name) === true)}
      title={<RelationTitle verb={words.title} relation={relation} />}
      label={words.button}
      request={body.ok && !isUnchanged ? make(body.value) : undefined}
      onBlocked={isUnchanged ? undefined : () => setBlocked(true)}
      onCancel={() => onDone(false)}
    >
      <FieldList
        fields={fields}
        nameOf={({ column }) => column.name}
        render={(field) => (
          <FormRow
            key={field.column.name}
            {...field.column}
            {...field}
            store={store}
            lookUp={findLookUp(schema, relation, field.column.name)}
            placeholder={stored === undefined ? placeholderOf(field) : ''}
            value={valueOf(values, field.column.name)}
            error={problemOf(field, told)}
            onValue={(value) => {
              sending.forget();
              setValues(new Map(values).set(field.column.name, value));
            }}
          />
        )}
      />
      <Told label="Made by the database" names={generated} />
      <Told label="Not yours to write" names={withheld} />
    </FormDialog>
  );
}

const INSERTING = { title: 'Insert into', button: 'Insert', done: 'Inserted into' };
const CHANGING = { title: 'Change a row of', button: 'Save', done: 'Changed a row of' };
const NONE: Problems = new Map();

interface ToldProblems {
  /** By the server. */
  readonly refused: FormError | undefined;
  readonly problems: Problems;
  /** What is missing is told once somebody has tried to send. */
  readonly isBlocked: boolean;
  readonly values: FieldValues;
}

function problemOf({ column: { name } }: FormField, told: ToldProblems): string | undefined {
  const { refused, problems, isBlocked, values } = told;
  if (refused?.columns.includes(name) === true) return refused.message;
  return isBlocked || valueOf(values, name).kind === 'text' ? problems.get(name) : undefined;
}

/** What an insert takes where nothing is stated. */
function placeholderOf({ column, isRequired }: FormField): string {
  if (column.default !== undefined) return `default: ${column.default}`;
  return isRequired ? '' : 'null';
}

const MOST_NAMES = 50;

function Told({ label, names }: { readonly label: string; readonly names: readonly string[] }): VNode | null {
  if (names.length === 0) return null;
  const rest = names.length - MOST_NAMES;
  return (
    <p class="forms-note">
      {label}: <bdi>{names.slice(0, MOST_NAMES).join(', ')}</bdi>
      {rest > 0 ? ` and ${rest} more` : ''}
    </p>
  );
}

// Edits the fields of a row, with the resulting request and the outcome.
import { useMemo, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import { findLookUp } from '../builder/look-up.ts';
import type { OutgoingRequest } from '../client/exchange.ts';
import type { JsonObject } from '../rows/json-value.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Store } from '../store/store.ts';
import type { PagePlace } from '../url-state/place.ts';
import { renderRowAddress } from '../url-state/row-address.ts';
import { FieldList } from './field-list.tsx';
import { finishWrite, keyOfStored, rowOfResponse } from './finish-write.ts';
import { type FieldValues, type Operation, operationOf, valueOf } from './field-value.ts';
import type { FormError } from './form-error.ts';
import { FormDialog } from './form-dialog.tsx';
import {
  type FormField,
  changedValues,
  copyValues,
  initialValues,
  listChanged,
  listFields,
  type Problems,
  renderBody,
} from './form-fields.ts';
import { FormRow } from './form-row.tsx';
import { revertInsert, revertUpdate, type Undo } from './inverse-requests.ts';
import { hasOperations, operationOn } from './operation.ts';
import { insertWithRelated, NO_MEMBERS } from './related-members.ts';
import { RelatedSection } from './related-section.tsx';
import { RelationTitle } from './relation-title.tsx';
import { changeInPlaceRequest, type FormTarget, insertRequest, type StoredRow, updateRequest } from './row-requests.ts';
import type { ChangedRow } from './show-changes.ts';
import { useProposedKey } from './use-proposed-key.ts';
import { useSending } from './use-sending.ts';

export interface RowEditing {
  readonly store: Store;
  readonly relation: DescribedRelation;
  /** Closes the form. */
  readonly onDone: () => void;
}

export interface RowEditorProps extends RowEditing {
  readonly schema: SchemaIndex;
  /** The row to update. */
  readonly stored: (StoredRow & { readonly row: JsonObject }) | undefined;
  /** The row that a new row begins as a copy of. */
  readonly copied?: JsonObject | undefined;
  /** Values that were entered before the row was read again, or that a new row begins with. */
  readonly entered?: FieldValues | undefined;
  /** Reads the row again. */
  readonly onReload?: ((entered: FieldValues) => void) | undefined;
}

export function RowEditor(props: RowEditorProps): VNode {
  const { store, relation, schema, stored, copied, onDone, onReload } = props;
  const { fields, generated, withheld } = useMemo(
    () => listFields(relation, stored?.row, copied),
    [relation, stored, copied],
  );
  const [values, setValues] = useState<FieldValues>(() =>
    initialValues(fields, props.entered ?? copyValues(fields, relation, copied)),
  );
  const [isBlocked, setBlocked] = useState(false);
  const [related, setRelated] = useState(NO_MEMBERS);
  const noteOn = useProposedKey({
    store,
    schema,
    relation,
    isNew: stored === undefined,
    onPropose: (name, value) =>
      setValues((entered) => (valueOf(entered, name).kind === 'unset' ? new Map(entered).set(name, value) : entered)),
  });
  const words = stored === undefined ? INSERTING : CHANGING;
  const undoOf = (changed: ChangedRow | undefined): Undo | undefined => {
    // What an operation changes may differ from what was read, and related rows may keep their parent.
    if (changed === undefined || hasOperations(values) || related.members.length > 0) return undefined;
    const { before, after } = changed;
    if (stored === undefined || before === undefined) return revertInsert(relation, after);
    return revertUpdate(relation, listChanged(fields, values), [{ row: stored.row, before, after }]);
  };
  const sending = useSending(store, (response) => {
    const before = stored && keyOfStored(store, relation, stored.row);
    const row = rowOfResponse(response);
    const after = row === undefined ? before : keyOfStored(store, relation, row);
    const isKnown = after !== undefined && (stored === undefined || before !== undefined);
    const rows = isKnown ? [{ before, after }] : [];
    finishWrite(store, { relation, text: `${words.done} ${relation.name}`, rows, undo: undoOf(rows[0]) });
    onDone();
  });
  const body = renderBody(fields, values);
  const isUnchanged = stored !== undefined && body.ok && body.value === '{}';
  const target = { relation, vendor: schema.document.mediaVendor };
  const make = (text: string): OutgoingRequest =>
    stored === undefined
      ? insertWithRelated(insertRequest(target, text), related.members)
      : changeRequest(target, { stored, text, fields, values });
  const isPatchable = stored !== undefined && schema.document.features.extensions?.includes('patch') === true;
  const refused = sending.state.kind === 'failed' ? sending.state.error : undefined;
  const reported: ReportedProblems = { refused, problems: body.ok ? NONE : body.error, isBlocked, values };
  return (
    <FormDialog
      {...{ store, sending }}
      isErrorAtFields={fields.some((field) => refused?.columns.includes(field.column.name) === true)}
      title={<RelationTitle verb={words.title} relation={relation} />}
      label={words.button}
      request={body.ok && !isUnchanged && related.problem === undefined ? make(body.value) : undefined}
      whyPlace={body.ok && stored === undefined ? findWhyPlace(store, relation.name, body.value) : undefined}
      onReload={onReload && (() => onReload(changedValues(fields, values)))}
      onBlocked={isUnchanged ? undefined : () => setBlocked(true)}
      onCancel={onDone}
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
            operation={isPatchable ? operationFor(schema, relation, field) : undefined}
            placeholder={stored === undefined ? placeholderOf(field) : ''}
            value={valueOf(values, field.column.name)}
            note={noteOn(field.column.name, valueOf(values, field.column.name))}
            error={problemOf(field, reported)}
            onValue={(value) => {
              sending.forget();
              setValues((entered) => new Map(entered).set(field.column.name, value));
            }}
          />
        )}
      />
      {stored === undefined ? (
        <RelatedSection
          {...{ store, schema, relation }}
          problem={related.problem}
          onMembers={(members) => {
            sending.forget();
            setRelated(members);
          }}
        />
      ) : null}
      <ColumnNote label="Generated by the database" names={generated} />
      <ColumnNote label="Not writable by your role" names={withheld} />
    </FormDialog>
  );
}

/** Only those who have the key of `rowhouse dev` may ask. */
function findWhyPlace(store: Store, relation: string, proposed: string): PagePlace | undefined {
  if (store.signingKey.value === undefined) return undefined;
  const url = renderRowAddress({ relation, key: {}, action: 'insert', proposed });
  return { kind: 'explain', schema: store.place.value.schema, url };
}

/** Keys and references to other rows are no quantities. */
function operationFor(schema: SchemaIndex, relation: DescribedRelation, field: FormField): Operation | undefined {
  const { name } = field.column;
  if (relation.key.includes(name) || findLookUp(schema, relation, name) !== undefined) return undefined;
  return operationOn(field.column, field.initial);
}

interface RowChange {
  readonly stored: StoredRow;
  readonly text: string;
  readonly fields: readonly FormField[];
  readonly values: FieldValues;
}

/** Operations alone suit whatever is stored by then, so that they need no entity tag. */
function changeRequest(target: FormTarget, { stored, text, fields, values }: RowChange): OutgoingRequest {
  if (!hasOperations(values)) return updateRequest(target, stored, text);
  const changed = changedValues(fields, values);
  const isAllInPlace = [...changed.values()].every((value) => operationOf(value) !== undefined);
  return changeInPlaceRequest(target, isAllInPlace ? { url: stored.url } : stored, text);
}

const INSERTING = { title: 'Insert into', button: 'Insert', done: 'Inserted into' };
const CHANGING = { title: 'Edit a row of', button: 'Save', done: 'Updated a row of' };
const NONE: Problems = new Map();

interface ReportedProblems {
  /** The error of the server. */
  readonly refused: FormError | undefined;
  readonly problems: Problems;
  /** Whether a send was attempted with invalid values; only then missing values are reported. */
  readonly isBlocked: boolean;
  readonly values: FieldValues;
}

function problemOf({ column: { name } }: FormField, reported: ReportedProblems): string | undefined {
  const { refused, problems, isBlocked, values } = reported;
  if (refused?.columns.includes(name) === true) return refused.message;
  const value = valueOf(values, name);
  const isBegun =
    value.kind === 'unmatched' || (value.kind === 'text' && (value.operation === undefined || value.text !== ''));
  return isBlocked || isBegun ? problems.get(name) : undefined;
}

/** Describes the value that an insert uses for an unset field. */
function placeholderOf({ column, isRequired }: FormField): string {
  if (column.default !== undefined) return `default: ${column.default}`;
  return isRequired ? '' : 'null';
}

const MAX_NAMES = 50;

function ColumnNote({ label, names }: { readonly label: string; readonly names: readonly string[] }): VNode | null {
  if (names.length === 0) return null;
  const rest = names.length - MAX_NAMES;
  return (
    <p class="forms-note">
      {label}: <bdi>{names.slice(0, MAX_NAMES).join(', ')}</bdi>
      {rest > 0 ? ` and ${rest} more` : ''}
    </p>
  );
}

// The form for a new or existing row. Reads an existing row first, because the table may be outdated or show only some
// of its columns.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { useAnswer } from '../store/use-answer.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { Spinner } from '../ui/text.tsx';
import { type FieldValues, textValue } from './field-value.ts';
import { findError } from './form-error.ts';
import { RelationTitle } from './relation-title.tsx';
import { RowEditor, type RowEditing } from './row-editor.tsx';
import { readRequest, readRow } from './row-requests.ts';

export interface RowFormProps extends RowEditing {
  /** Addresses the row to update by its key: `/houses?id=eq.3`. Undefined for a new row. */
  readonly rowUrl?: string | undefined;
  /** Whether the form inserts a copy of that row instead. */
  readonly isCopy?: boolean;
  /** Values by column that a new row begins with. */
  readonly given?: ReadonlyMap<string, string> | undefined;
}

export function RowForm({ rowUrl, given, ...props }: RowFormProps): VNode | null {
  const schema = props.store.known.value;
  if (schema === undefined) return null;
  if (rowUrl === undefined) {
    const entered = given && new Map([...given].map(([name, text]) => [name, textValue(text)] as const));
    return <RowEditor {...props} schema={schema} stored={undefined} entered={entered} />;
  }
  return <ChangeForm {...props} schema={schema} rowUrl={rowUrl} />;
}

interface ChangeFormProps extends RowEditing, Pick<RowFormProps, 'isCopy'> {
  readonly schema: SchemaIndex;
  readonly rowUrl: string;
}

function ChangeForm(props: ChangeFormProps): VNode {
  const { store, relation, schema, rowUrl, isCopy = false, onDone } = props;
  const [entered, setEntered] = useState<FieldValues | undefined>(undefined);
  const exchange = useAnswer(
    (signal) => store.send(readRequest({ relation, vendor: schema.document.mediaVendor }, rowUrl), signal),
    [store, relation, schema, rowUrl, entered],
  );
  const read = readRow(exchange);
  if (read !== undefined && isCopy) return <RowEditor {...props} stored={undefined} copied={read.row} />;
  if (read !== undefined)
    return <RowEditor {...props} stored={{ url: rowUrl, ...read }} entered={entered} onReload={setEntered} />;
  const error = exchange && findError(exchange);
  const title = <RelationTitle verb={isCopy ? 'Insert into' : 'Edit a row of'} relation={relation} />;
  return (
    <Dialog title={title} placement="right" isOpen onClose={onDone}>
      {error === undefined ? (
        <Spinner label="Loading the row" />
      ) : (
        <Notice tone="danger" title={<bdi>{error.message}</bdi>} hint={error.hint} />
      )}
    </Dialog>
  );
}

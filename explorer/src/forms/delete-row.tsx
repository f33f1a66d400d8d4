// The confirmation to delete a row, showing the row and the request.
import type { VNode } from 'preact';
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import type { Store } from '../store/store.ts';
import { useAnswer } from '../store/use-answer.ts';
import { finishWrite, keyOfStored } from './finish-write.ts';
import { FormDialog } from './form-dialog.tsx';
import { revertDelete } from './inverse-requests.ts';
import { ReferencingRows } from './referencing-rows.tsx';
import { RelationTitle } from './relation-title.tsx';
import { deleteRequest, readRequest, readRow } from './row-requests.ts';
import { useSending } from './use-sending.ts';
import { UndoNote } from './undo-note.tsx';
import { printJson } from './value-json.ts';

export interface DeleteRowProps {
  readonly store: Store;
  readonly relation: DescribedRelation;
  /** Addresses the row by its key: `/houses?id=eq.3`. */
  readonly rowUrl: string;
  /** Closes the form. */
  readonly onDone: () => void;
}

export function DeleteRow({ store, relation, rowUrl, onDone }: DeleteRowProps): VNode | null {
  const vendor = store.known.value?.document.mediaVendor;
  const exchange = useAnswer(
    vendor === undefined || !relation.may.select
      ? undefined
      : (signal) => store.send(readRequest({ relation, vendor }, rowUrl), signal),
    [store, relation, rowUrl, vendor],
  );
  const row = readRow(exchange)?.row;
  const sending = useSending(store, () => {
    const undo = row && revertDelete(relation, [row], keyOfStored(store, relation, row));
    finishWrite(store, { relation, text: `Deleted from ${relation.name}`, rows: [], undo });
    onDone();
  });
  if (vendor === undefined) return null;
  return (
    <FormDialog
      {...{ store, sending }}
      title={<RelationTitle verb="Delete a row of" relation={relation} />}
      label="Delete"
      isDangerous
      request={deleteRequest({ relation, vendor }, rowUrl)}
      onCancel={onDone}
    >
      <ReferencingRows {...{ store, relation }} rows={row === undefined ? [] : [row]} state={sending.state} />
      <p>This deletes the row and everything that the database deletes by cascade.</p>
      <UndoNote canUndo={row !== undefined && revertDelete(relation, [row]) !== undefined} />
      {row === undefined ? null : (
        <pre class="forms-answer" tabIndex={0} aria-label="The row">
          <bdi>{printJson(row)}</bdi>
        </pre>
      )}
    </FormDialog>
  );
}

// The confirmation to delete several rows, showing the rows and the request.
import type { VNode } from 'preact';
import { finishWrite } from './finish-write.ts';
import { FormDialog } from './form-dialog.tsx';
import { revertDelete } from './inverse-requests.ts';
import { ReferencingRows } from './referencing-rows.tsx';
import { RelationTitle } from './relation-title.tsx';
import { deleteRowsRequest } from './row-requests.ts';
import type { RowsFormProps } from './rows-editor.tsx';
import { UndoNote } from './undo-note.tsx';
import { useSending } from './use-sending.ts';
import { countRows } from '../rows/pages.ts';
import { reasonOfStored, useStoredRows } from './use-stored-rows.ts';
import { printJson } from './value-json.ts';

const MAX_SHOWN = 20;

export function RowsDeletion({ store, relation, keys, onDone }: RowsFormProps): VNode {
  const stored = useStoredRows(store, relation, keys);
  const found = stored.kind === 'read' ? stored : { rows: [], keys };
  const undo =
    found.rows.length === 0
      ? undefined
      : revertDelete(relation, found.rows, found.keys.length === 1 ? found.keys[0] : undefined);
  const sending = useSending(store, () => {
    const text = `Deleted ${countRows(found.keys.length)} of ${relation.name}`;
    finishWrite(store, { relation, text, rows: [], undo });
    onDone();
  });
  const reason = reasonOfStored(stored);
  const hidden = found.rows.length - MAX_SHOWN;
  return (
    <FormDialog
      {...{ store, sending }}
      title={<RelationTitle verb={`Delete ${countRows(found.keys.length)} of`} relation={relation} />}
      label={`Delete ${countRows(found.keys.length)}`}
      isDangerous
      request={reason === undefined ? deleteRowsRequest(relation, found.keys) : undefined}
      blockedReason={reason}
      onCancel={onDone}
    >
      <ReferencingRows {...{ store, relation }} rows={found.rows} state={sending.state} />
      <p>This deletes the rows and everything that the database deletes by cascade.</p>
      {stored.kind === 'read' ? <UndoNote canUndo={undo !== undefined} /> : null}
      {found.rows.length === 0 ? null : (
        <pre class="forms-answer" tabIndex={0} aria-label="The rows">
          <bdi>
            {found.rows
              .slice(0, MAX_SHOWN)
              .map((row) => printJson(row))
              .join('\n')}
          </bdi>
          {hidden > 0 ? `\nand ${countRows(hidden)} more` : ''}
        </pre>
      )}
    </FormDialog>
  );
}

// Reports a finished write: shows the rows in the result, and a toast with a link to a single row and with Undo.
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import type { ReceivedResponse } from '../client/exchange.ts';
import { describeResult } from '../rows/describe-level.ts';
import { type JsonObject, parseJson } from '../rows/json-value.ts';
import { keyOf, type RowKey } from '../rows/row-links.ts';
import type { Store } from '../store/store.ts';
import { showToast } from '../ui/toast.tsx';
import { createModel } from '../url-state/query-model.ts';
import type { Undo } from './inverse-requests.ts';
import { type ChangedRow, showChanges } from './show-changes.ts';
import { canRevert, linkToRow, rememberUndo, revert } from './undo.ts';

export interface FinishedWrite {
  readonly relation: DescribedRelation;
  /** The text of the toast. */
  readonly text: string;
  /** Empty if all rows must be read again. */
  readonly rows: readonly ChangedRow[];
  /** Undefined if the write cannot be reverted. */
  readonly undo: Undo | undefined;
}

export function finishWrite(store: Store, { relation, text, rows, undo }: FinishedWrite): void {
  const [row, ...others] = rows;
  const isSingle = row !== undefined && others.length === 0;
  rememberUndo(undo);
  showToast(text, 'success', [
    ...(isSingle ? [linkToRow(store, relation, row.after)] : []),
    ...(undo === undefined
      ? []
      : [{ label: 'Undo', onSelect: () => void revert(store, undo), isOffered: () => canRevert(undo) }]),
  ]);
  void showChanges(store, relation, rows);
}

/** Returns the key of a stored row with the names of its columns. */
export function keyOfStored(store: Store, relation: DescribedRelation, row: JsonObject): RowKey | undefined {
  const model = createModel({ kind: 'relation', name: relation.name });
  return keyOf({ row, level: describeResult(model, store.known.peek()) });
}

/** Returns the row of a response with a single object; undefined if the response is empty. */
export function rowOfResponse({ text }: ReceivedResponse): JsonObject | undefined {
  const value = text === '' ? undefined : parseJson(text);
  return value?.kind === 'object' ? value : undefined;
}

// Reverts writes with requests made from the previous values of their rows, the latest one first.
import { type ReadonlySignal, signal } from '@preact/signals';
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import type { Store } from '../store/store.ts';
import { urlOfKeys } from '../rows/row-keys.ts';
import type { RowKey } from '../rows/row-links.ts';
import { showToast, type ToastAction } from '../ui/toast.tsx';
import { renderPlace } from '../url-state/place.ts';
import { findError } from './form-error.ts';
import type { Undo } from './inverse-requests.ts';
import { showChanges } from './show-changes.ts';

export function linkToRow(store: Store, relation: DescribedRelation, key: RowKey): ToastAction {
  const { schema } = store.place.peek();
  return { label: 'Show the row', href: renderPlace({ kind: 'record', schema, url: urlOfKeys(relation, [key]) }) };
}

/** More steps are rarely wanted, and each keeps rows. */
const MAX_STEPS = 50;

/** The writes that can be reverted, the latest one last. Each can be reverted only after those behind it. */
const steps = signal<readonly Undo[]>([]);

const writes = signal(0);

/** The number of finished writes, including undone ones. A page that shows rows reads them again when it changes. */
export const finishedWrites: ReadonlySignal<number> = writes;

/** Returns whether the write is the latest one that was not reverted. */
export function canRevert(undo: Undo): boolean {
  return steps.value.at(-1) === undo;
}

/** Pass undefined after a write that cannot be reverted: those before it cannot be either. */
export function rememberUndo(undo: Undo | undefined): void {
  steps.value = undo === undefined ? [] : [...steps.value, undo].slice(-MAX_STEPS);
  writes.value += 1;
}

/** Reverts the latest write if it was one to this relation, or to any of the schema that is shown. */
export async function undoLatest(store: Store, relation?: DescribedRelation): Promise<void> {
  const undo = steps.peek().at(-1);
  const known = undo && store.known.peek()?.relations.get(undo.relation.name);
  if (undo !== undefined && undo.relation.name === (relation ?? known)?.name) await revert(store, undo);
  else showToast('There is nothing to undo.', 'info');
}

/** Does nothing if the write was reverted before, or followed by another one that still stands. */
export async function revert(store: Store, undo: Undo): Promise<void> {
  if (steps.peek().at(-1) !== undo) return showToast('Undo the later changes first.', 'danger');
  steps.value = steps.peek().slice(0, -1);
  for (const request of undo.requests) {
    const error = findError(await store.send(request));
    if (error !== undefined) {
      // What came before may depend on the rows as they were.
      steps.value = [];
      writes.value += 1;
      store.run();
      return showToast(`The change was not undone completely: ${error.message}`, 'danger');
    }
  }
  writes.value += 1;
  showToast(
    'The change was undone.',
    'info',
    undo.restored === undefined ? [] : [linkToRow(store, undo.relation, undo.restored)],
  );
  return await showChanges(store, undo.relation, undo.rows);
}

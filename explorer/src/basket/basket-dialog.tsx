// The collected writes: they are ordered, removed, and sent as one batch, in one transaction.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { OutgoingRequest } from '../client/exchange.ts';
import { FormDialog } from '../forms/form-dialog.tsx';
import { useSending } from '../forms/use-sending.ts';
import type { Store } from '../store/store.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { type BasketEntry, discard, moveUp } from '../store/basket.ts';
import { BasketItem } from './basket-item.tsx';
import { type BatchAnswer, batchRequest, readAnswers } from './batch-request.ts';
import './basket-dialog.css';

export interface BasketDialogProps {
  readonly store: Store;
  /** The collected writes of the current schema. */
  readonly entries: readonly BasketEntry[];
  readonly onClose: () => void;
}

interface SentBatch {
  readonly entries: readonly BasketEntry[];
  readonly answers: readonly BatchAnswer[];
}

export function BasketDialog({ store, entries, onClose }: BasketDialogProps): VNode {
  const [sent, setSent] = useState<SentBatch | undefined>(undefined);
  const sending = useSending(store, ({ text }) => {
    setSent({ entries, answers: readAnswers(text) });
    discard(entries);
    if (store.canRun.peek()) store.run();
  });
  if (sent !== undefined) return <SentDialog {...sent} onClose={onClose} />;
  const { state } = sending;
  const failed = state.kind === 'failed' ? state.error.request : undefined;
  const change = (edit: (entry: BasketEntry) => void) => (entry: BasketEntry) => {
    sending.forget();
    edit(entry);
  };
  return (
    <FormDialog
      {...{ store, sending }}
      title="Send as one batch"
      label="Send"
      width="wide"
      isBatch
      request={requestOf(store, entries)}
      blockedReason="No request is left."
      onCancel={onClose}
    >
      <p>The requests run in this order, in one transaction. If one fails, nothing is changed.</p>
      <ol class="ui-stack ui-gap-3 basket-list">
        {entries.map((entry, index) => (
          <BasketItem
            key={entry.id}
            entry={entry}
            hasFailed={index === failed}
            onMoveUp={index === 0 ? undefined : change(moveUp)}
            onRemove={change((removed) => discard([removed]))}
          />
        ))}
      </ol>
    </FormDialog>
  );
}

function requestOf(store: Store, entries: readonly BasketEntry[]): OutgoingRequest | undefined {
  const schema = store.known.value;
  if (schema === undefined || entries.length === 0) return undefined;
  const requests = entries.map(({ request }) => request);
  return batchRequest(schema.document.mediaVendor, requests);
}

function SentDialog({ entries, answers, onClose }: SentBatch & { readonly onClose: () => void }): VNode {
  return (
    <Dialog title="Responses of the batch" placement="right" width="wide" isOpen onClose={onClose}>
      <div class="ui-stack forms">
        <Notice tone="success" title="All requests succeeded." />
        <ol class="ui-stack ui-gap-3 basket-list">
          {entries.map((entry, index) => (
            <BasketItem key={entry.id} entry={entry} answer={answers[index]} />
          ))}
        </ol>
      </div>
    </Dialog>
  );
}

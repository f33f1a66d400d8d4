// The bar at the bottom of the page that shows how many writes are collected for a batch, and opens them.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import { Deferred } from '../ui/deferred.tsx';
import { basket } from '../store/basket.ts';
import type { BasketDialog } from './basket-dialog.tsx';
import './basket-bar.css';

async function loadDialog(): Promise<typeof BasketDialog> {
  return (await import('./basket-dialog.tsx')).BasketDialog;
}

export function BasketBar({ store }: { readonly store: Store }): VNode | null {
  const [isOpen, setOpen] = useState(false);
  const { schema } = store.place.value;
  const entries = basket.value.filter((entry) => entry.schema === schema);
  const count = entries.length === 1 ? '1 request' : `${entries.length} requests`;
  return (
    <>
      <div role="status">
        {entries.length === 0 ? null : (
          <div class="ui-row ui-gap-4 basket-bar">
            <span>{count} to send as one batch</span>
            <Button size="small" onClick={() => setOpen(true)}>
              Review and send
            </Button>
          </div>
        )}
      </div>
      {isOpen ? <Deferred load={loadDialog} props={{ store, entries, onClose: () => setOpen(false) }} /> : null}
    </>
  );
}

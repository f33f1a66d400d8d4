// Tells whether the server accepts a new token.
import type { Store } from '../store/store.ts';
import { showToast } from '../ui/toast.tsx';

/** Waits for the schema, the first thing that is read with a new token. */
export async function reportAcceptance(store: Store): Promise<void> {
  let stop: (() => void) | undefined;
  const schema = await new Promise<Store['schema']['value']>((resolve) => {
    stop = store.schema.subscribe((one) => {
      if (one.kind !== 'loading') resolve(one);
    });
  });
  stop?.();
  if (schema.kind === 'ready') showToast(`Requests now use this token, with the role ${schema.value.document.role}.`);
  else showToast('This token was not accepted.', 'danger');
}

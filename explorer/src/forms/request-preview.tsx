// The request of a form, to be read before it is sent; closed at first where the window is small.
import type { VNode } from 'preact';
import type { OutgoingRequest } from '../client/exchange.ts';
import type { Store } from '../store/store.ts';
import { useMedia } from '../ui/use-media.ts';
import { renderRequest } from './request-text.ts';

export interface RequestPreviewProps {
  readonly store: Store;
  /** undefined: what was entered makes none yet. */
  readonly request: OutgoingRequest | undefined;
}

export function RequestPreview({ store, request }: RequestPreviewProps): VNode {
  const hasRoom = useMedia('(min-width: 600px) and (min-height: 640px)');
  const sender = { schema: store.place.value.schema, hasToken: store.token.value !== undefined };
  return (
    <details class="forms-request" open={hasRoom}>
      <summary>The request</summary>
      {request === undefined ? (
        <p class="forms-note">It shows here once every value can be sent.</p>
      ) : (
        <pre tabIndex={0} aria-label="The request that will be sent">
          <bdi>{renderRequest(request, sender)}</bdi>
        </pre>
      )}
    </details>
  );
}

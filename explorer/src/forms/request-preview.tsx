// A preview of the request of a form, initially collapsed in a small window.
import type { VNode } from 'preact';
import type { OutgoingRequest } from '../client/exchange.ts';
import { CopyRequest } from '../copy/copy-menu.tsx';
import type { Store } from '../store/store.ts';
import { useMedia } from '../ui/use-media.ts';
import { renderRequest } from './request-text.ts';

export interface RequestPreviewProps {
  readonly store: Store;
  /** Undefined if the input is incomplete. */
  readonly request: OutgoingRequest | undefined;
}

export function RequestPreview({ store, request }: RequestPreviewProps): VNode {
  const hasRoom = useMedia('(min-width: 600px) and (min-height: 640px)');
  const sender = { schema: store.place.value.schema, hasToken: store.token.value !== undefined };
  return (
    <details class="forms-request" open={hasRoom}>
      <summary>Request</summary>
      {request === undefined ? (
        <p class="forms-note">The request appears here once there is something valid to send.</p>
      ) : (
        <>
          <pre tabIndex={0} aria-label="Request to send">
            <bdi>{renderRequest(request, sender)}</bdi>
          </pre>
          <CopyRequest {...{ store, request }} />
        </>
      )}
    </details>
  );
}

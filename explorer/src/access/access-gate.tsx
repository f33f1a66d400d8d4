// Shows a page about the access of roles to those who have the key of `rowhouse dev`, and says otherwise how to get it.
import { useState } from 'preact/hooks';
import type { ComponentChildren, VNode } from 'preact';
import type { AccessDocument } from '../../../src/contract/access-document.ts';
import type { Exchange } from '../client/exchange.ts';
import { readServerError } from '../client/server-error.ts';
import type { Store } from '../store/store.ts';
import { canSign } from '../store/window-browser.ts';
import { Button } from '../ui/button.tsx';
import { SecretField } from '../ui/field.tsx';
import { EmptyState, Notice } from '../ui/notice.tsx';
import { Spinner } from '../ui/text.tsx';
import { useAccess } from '../store/use-access.ts';
import './access.css';

interface AccessGateProps {
  readonly store: Store;
  readonly version: number;
  readonly children: (document: AccessDocument) => ComponentChildren;
}

export function AccessGate({ store, version, children }: AccessGateProps): VNode {
  const answer = useAccess(store, version);
  if (!canSign())
    return <Notice tone="warning" title="Open the explorer at localhost, where the browser can sign tokens." />;
  if (store.signingKey.value === undefined) return <KeyForm store={store} />;
  switch (answer.kind) {
    case 'loading':
      return (
        <div class="ui-page-waiting">
          <Spinner label="Loading the privileges" />
        </div>
      );
    case 'failed':
      return <Failure store={store} exchange={answer.exchange} />;
    case 'ready':
      return <>{children(answer.value)}</>;
  }
}

function KeyForm({ store }: { readonly store: Store }): VNode {
  const [key, setKey] = useState('');
  return (
    <EmptyState icon="key" title="Enter the key of rowhouse dev to see the access of roles.">
      <form
        class="ui-stack ui-gap-4 access-key"
        onSubmit={(event) => {
          event.preventDefault();
          if (key !== '') store.setSigningKey(key);
        }}
      >
        <SecretField
          label="Key"
          value={key}
          onValue={setKey}
          hint="rowhouse dev prints a link that contains it: the part after #key=. It stays in this browser tab."
        />
        <Button type="submit" variant="primary" disabled={key === ''}>
          Use this key
        </Button>
      </form>
    </EmptyState>
  );
}

export function Failure({ store, exchange }: { readonly store: Store; readonly exchange: Exchange }): VNode {
  if (exchange.kind !== 'answered') return <Notice tone="danger" title="The server does not respond." />;
  const { status, text } = exchange.response;
  if (status === 401)
    return (
      <>
        <Notice tone="warning" title="This is not the key of this start of rowhouse dev." />
        <KeyForm store={store} />
      </>
    );
  if (status === 404 || status === 405)
    return (
      <EmptyState icon="shield" title="This server does not show the access of roles.">
        Only rowhouse dev does, with a single process and its own key.
      </EmptyState>
    );
  const { message, hint, details } = readServerError(text);
  return (
    <Notice tone="danger" title={message ?? `The server responded with status ${status}.`} hint={hint}>
      {details}
    </Notice>
  );
}

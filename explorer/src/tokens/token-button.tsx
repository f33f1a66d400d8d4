// Shows the current role and the expiry of the token, and opens the token dialog.
import type { VNode } from 'preact';
import type { Store } from '../store/store.ts';
import { Icon } from '../ui/icon.tsx';
import { Name } from '../ui/text.tsx';
import { decodeToken } from './decode-token.ts';
import { TokenValidity } from './token-claims.tsx';
import './tokens.css';

export function TokenButton({ store, onOpen }: { readonly store: Store; readonly onOpen: () => void }): VNode {
  const schema = store.schema.value;
  const token = store.token.value;
  const decoded = token === undefined ? undefined : decodeToken(token);
  const claimed = decoded?.kind === 'token' && typeof decoded.claims['role'] === 'string' ? decoded.claims['role'] : '';
  const role = schema.kind === 'ready' ? schema.value.document.role : claimed;
  const noToken = store.signingKey.value === undefined ? 'no token · enter one' : 'no token · view as another role';
  return (
    <button type="button" class="token-button" aria-haspopup="dialog" title="Your role and token" onClick={onOpen}>
      <Icon name={token === undefined ? 'lock' : 'key'} />
      <span class="token-button-text">
        <Name text={role === '' ? 'unknown role' : role} />
        <span class="token-button-note">
          {decoded?.kind === 'token' ? <TokenValidity claims={decoded.claims} /> : noToken}
        </span>
      </span>
    </button>
  );
}

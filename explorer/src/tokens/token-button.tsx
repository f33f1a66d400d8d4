// Shows the current role and the expiry of the token, and opens the token dialog.
import type { VNode } from 'preact';
import type { Store } from '../store/store.ts';
import { Icon } from '../ui/icon.tsx';
import { Name } from '../ui/text.tsx';
import { type Claims, decodeToken } from './decode-token.ts';
import { textOfClaim, TokenValidity } from './token-claims.tsx';
import './tokens.css';

interface TokenButtonProps {
  readonly store: Store;
  /** `compact`: only the role is shown. `icon`: not even that. */
  readonly size?: 'full' | 'compact' | 'icon';
  readonly onOpen: () => void;
}

export function TokenButton({ store, size = 'full', onOpen }: TokenButtonProps): VNode {
  const token = store.token.value;
  const decoded = token === undefined ? undefined : decodeToken(token);
  const claimed = decoded?.kind === 'token' && typeof decoded.claims['role'] === 'string' ? decoded.claims['role'] : '';
  const role = store.known.value?.document.role ?? claimed;
  const noToken = store.signingKey.value === undefined ? 'no token · enter one' : 'no token · view as another role';
  return (
    <button
      type="button"
      class={size === 'full' ? 'token-button' : 'token-button token-button-compact'}
      aria-haspopup="dialog"
      title="Your role and token"
      onClick={onOpen}
    >
      <Icon name={token === undefined ? 'lock' : 'key'} />
      <span class={size === 'icon' ? 'ui-unseen' : 'token-button-text'}>
        <Name text={role === '' ? 'unknown role' : role} />
        {size !== 'full' ? null : (
          <span class="token-button-note">
            {decoded?.kind === 'token' ? <Note claims={decoded.claims} /> : noToken}
          </span>
        )}
      </span>
    </button>
  );
}

/** Claims that the validity and the role show. */
const SHOWN: ReadonlySet<string> = new Set(['role', 'exp', 'iat', 'nbf']);

function Note({ claims }: { readonly claims: Claims }): VNode {
  const own = Object.entries(claims).filter(([name]) => !SHOWN.has(name));
  const text = own.map(([name, value]) => `${name}: ${textOfClaim(value)}`).join(', ');
  return (
    <>
      <TokenValidity claims={claims} />
      {text === '' ? null : (
        <bdi class="token-button-claims" title={text}>
          {text}
        </bdi>
      )}
    </>
  );
}

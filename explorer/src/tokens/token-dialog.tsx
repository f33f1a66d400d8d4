// The dialog to enter, inspect or remove the token, which is kept only for this browser tab.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/field.tsx';
import { showToast } from '../ui/toast.tsx';
import { decodeToken } from './decode-token.ts';
import { TokenClaims } from './token-claims.tsx';
import { reportAcceptance } from './report-acceptance.ts';
import { canSign } from '../store/window-browser.ts';
import { ViewAsDialog } from './view-as-dialog.tsx';
import './tokens.css';

interface TokenDialogProps {
  readonly store: Store;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function TokenDialog(props: TokenDialogProps): VNode | null {
  const { store, isOpen, onClose } = props;
  const chosen = useSignal<'token' | 'viewAs' | undefined>(undefined);
  if (!isOpen) return null;
  // Who has a key for View as wants to view, or to view as another role.
  const usual = store.signingKey.value === undefined ? 'token' : 'viewAs';
  const close = (): void => {
    chosen.value = undefined;
    onClose();
  };
  if ((chosen.value ?? usual) === 'viewAs' && canSign())
    return <ViewAsDialog store={store} onClose={close} onToken={() => (chosen.value = 'token')} />;
  const view = canSign() ? () => (chosen.value = 'viewAs') : undefined;
  return <OpenTokenDialog {...props} onClose={close} onViewAs={view} />;
}

interface OpenTokenDialogProps extends TokenDialogProps {
  /** Undefined if the browser cannot sign. */
  readonly onViewAs: (() => void) | undefined;
}

function OpenTokenDialog({ store, onClose, onViewAs }: OpenTokenDialogProps): VNode {
  const kept = store.token.value;
  const text = useSignal(kept ?? '');
  const decoded = decodeToken(text.value);
  const use = (event: Event): void => {
    event.preventDefault();
    if (decoded.kind === 'wrong') return;
    store.setToken(decoded.token);
    void reportAcceptance(store);
    onClose();
  };
  const remove = (): void => {
    store.setToken(undefined);
    showToast('The token was removed.', 'info');
    onClose();
  };
  return (
    <Dialog
      title="Token"
      isOpen
      onClose={onClose}
      footer={
        <>
          {kept === undefined ? null : (
            <Button icon="trash" onClick={remove}>
              Remove
            </Button>
          )}
          {onViewAs === undefined ? null : <Button onClick={onViewAs}>View as …</Button>}
          <Button variant="primary" type="submit" form="token-form" disabled={decoded.kind === 'wrong'}>
            Use this token
          </Button>
        </>
      }
    >
      <form id="token-form" class="ui-stack token-form" onSubmit={use}>
        <p class="token-about">
          A token (JWT) identifies you: it contains the database role that determines what you can see and do. It is
          kept only in this browser tab and removed when you close the tab.
        </p>
        <TextArea
          label="JSON Web Token"
          value={text.value}
          onValue={(value) => (text.value = value)}
          rows={5}
          isMono
          placeholder="eyJhbGciOi…"
          {...(text.value !== '' && decoded.kind === 'wrong' ? { error: decoded.message } : {})}
        />
        {decoded.kind === 'token' ? <TokenClaims header={decoded.header} claims={decoded.claims} /> : null}
      </form>
    </Dialog>
  );
}

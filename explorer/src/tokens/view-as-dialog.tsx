// The dialog to see the API as another role does: signs a token with the key of the server.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Store } from '../store/store.ts';
import type { ServerError } from '../client/server-error.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SecretField, TextArea } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { parseClaims } from './parse-claims.ts';
import { RoleField } from './role-field.tsx';
import { viewAsRole } from './view-as-role.ts';

interface ViewAsDialogProps {
  readonly store: Store;
  readonly onClose: () => void;
  /** Opens the dialog to enter a token instead. */
  readonly onToken: () => void;
}

export function ViewAsDialog({ store, onClose, onToken }: ViewAsDialogProps): VNode {
  const role = useSignal('');
  const claimsText = useSignal('');
  const key = useSignal(store.signingKey.value ?? '');
  const refusal = useSignal<ServerError | undefined>(undefined);
  const parsed = parseClaims(claimsText.value);
  const isReady = role.value !== '' && key.value !== '' && parsed.kind === 'claims';
  const view = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!isReady) return;
    refusal.value = await viewAsRole(store, { role: role.value, claims: parsed.claims, key: key.value });
    if (refusal.value === undefined) onClose();
  };
  return (
    <Dialog
      title="View as"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onClick={onToken}>
            {store.token.value === undefined ? 'Enter a token' : 'Enter or remove a token'}
          </Button>
          <Button variant="primary" type="submit" form="view-as-form" disabled={!isReady}>
            View as {role.value || 'this role'}
          </Button>
        </>
      }
    >
      <form id="view-as-form" class="ui-stack token-form" onSubmit={(event) => void view(event)}>
        <p class="token-about">
          The page signs a token with the key of the server and uses it for an hour. The database then decides what you
          see and may do, as for any client with this role.
        </p>
        <RoleField store={store} value={role.value} onValue={(value) => (role.value = value)} />
        {refusal.value === undefined ? null : <Refusal error={refusal.value} role={role.value} />}
        <TextArea
          label="Further claims (JSON)"
          value={claimsText.value}
          onValue={(value) => (claimsText.value = value)}
          rows={3}
          isMono
          placeholder='{"sub": "1"}'
          {...(parsed.kind === 'wrong' ? { error: parsed.message } : {})}
        />
        <SecretField
          label="Key (jwt-secret)"
          value={key.value}
          onValue={(value) => (key.value = value)}
          hint="Kept only in this browser tab. rowhouse dev prints a link that contains it."
        />
      </form>
    </Dialog>
  );
}

function Refusal({
  error: { code, message, hint },
  role,
}: {
  readonly error: ServerError;
  readonly role: string;
}): VNode {
  const advice = adviceOn(code, role) ?? hint;
  return (
    <Notice tone="danger" title={message ?? 'The server rejects the token.'}>
      {advice === undefined ? null : <p dir="auto">{advice}</p>}
    </Notice>
  );
}

function adviceOn(code: string | undefined, role: string): string | undefined {
  if (code === '22023') return 'Check the spelling of the role.';
  if (code === '42501') return `Allow the server to assume it: grant ${role} to the role that the server logs in with.`;
  return undefined;
}

// A field for a role: typed, or chosen among the roles of the API where `rowhouse dev` lists them.
import type { VNode } from 'preact';
import { listRoles, useAccess } from '../store/use-access.ts';
import type { Store } from '../store/store.ts';
import { TextField } from '../ui/field.tsx';

interface RoleFieldProps {
  readonly store: Store;
  readonly value: string;
  readonly onValue: (role: string) => void;
}

/** More roles are found by typing. */
const MAX_ROLES = 8;

export function RoleField({ store, value, onValue }: RoleFieldProps): VNode {
  const isListed = store.known.value?.document.features.console === true;
  const answer = useAccess(store, isListed ? 0 : undefined);
  const roles = answer.kind === 'ready' ? listRoles(answer.value) : [];
  const isChosen = roles.some(({ name }) => name === value);
  const found = isChosen ? roles : roles.filter(({ name }) => name.toLowerCase().includes(value.toLowerCase()));
  const hidden = found.length - MAX_ROLES;
  return (
    <div class="ui-stack ui-gap-3">
      <TextField label="Role" value={value} onValue={onValue} isMono required />
      {found.length === 0 ? null : (
        <div class="ui-row ui-wrap ui-gap-2" role="group" aria-label="Roles of the API">
          {found.slice(0, MAX_ROLES).map(({ name, isAnonymous }) => (
            <button
              key={name}
              type="button"
              class="token-role-choice"
              aria-pressed={name === value}
              onClick={() => onValue(name)}
            >
              <bdi>{name}</bdi>
              {isAnonymous ? <span class="token-role-note"> without a token</span> : null}
            </button>
          ))}
          {hidden > 0 ? <span class="token-role-note">and {hidden} more: type a part of the name</span> : null}
        </div>
      )}
    </div>
  );
}

// Chooses the roles that the matrix shows.
import type { VNode } from 'preact';
import type { AccessDocument, AccessRole } from '../../../src/contract/access-document.ts';
import { Checkbox } from '../ui/toggle.tsx';

/** With more columns, the matrix is hard to read. */
const MAX_FIRST = 4;

/** Returns the roles to show first: those that can use the schema and are restricted at all. */
export function chooseRoles({ roles }: AccessDocument): ReadonlySet<string> {
  const usual = roles.filter(
    ({ isAnonymous, hasUsage, isSuperuser, isLogin }) => isAnonymous || (hasUsage && !isSuperuser && !isLogin),
  );
  return new Set(usual.slice(0, MAX_FIRST).map(({ name }) => name));
}

interface RoleChoiceProps {
  readonly roles: readonly AccessRole[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}

export function RoleChoice({ roles, chosen, onChoose }: RoleChoiceProps): VNode | null {
  if (roles.length < 2) return null;
  return (
    <details class="access-roles">
      <summary>
        Roles: {chosen.size} of {roles.length}
      </summary>
      <div class="access-roles-list" role="group" aria-label="Roles">
        {roles.map(({ name }) => (
          <Checkbox
            key={name}
            label={<bdi>{name}</bdi>}
            isChecked={chosen.has(name)}
            onChange={(isChecked) =>
              onChoose(new Set(isChecked ? [...chosen, name] : [...chosen].filter((one) => one !== name)))
            }
          />
        ))}
      </div>
    </details>
  );
}

// Takes many policies of a table together, so that an explanation ends within seconds and can be read.
import type { AccessPolicy } from '../../../src/contract/access-document.ts';
import type { Clause, StoredPolicy } from '../../access/evaluate-policies.ts';

/** Policies that are evaluated one by one. */
const MAX_POLICIES = 20;

export interface LimitedPolicies {
  readonly policies: readonly AccessPolicy[];
  readonly stored: ReadonlyMap<string, StoredPolicy>;
}

/** Returns the first policies, and instead of the others of each kind a single one that decides as they do. */
export function limitPolicies(
  policies: readonly AccessPolicy[],
  stored: ReadonlyMap<string, StoredPolicy>,
  clause: Clause,
): LimitedPolicies {
  if (policies.length <= MAX_POLICIES) return { policies, stored };
  const [shown, others] = [policies.slice(0, MAX_POLICIES), policies.slice(MAX_POLICIES)];
  const all = new Map(stored);
  const joined: AccessPolicy[] = [];
  for (const isPermissive of [true, false]) {
    const kind = others.filter((policy) => policy.isPermissive === isPermissive);
    const [first] = kind;
    if (first === undefined) continue;
    const expressions = kind.map(({ name }) => `(${expressionOf(stored.get(name), clause)})`);
    const using = expressions.join(isPermissive ? ' OR ' : ' AND ');
    const name = `${kind.length} others`;
    all.set(name, { using, check: null, columns: [], calls: [], tables: [], indirect: [] });
    joined.push({ ...first, name });
  }
  return { policies: [...shown, ...joined], stored: all };
}

/** Without WITH CHECK, USING counts for new rows as well. */
function expressionOf(policy: StoredPolicy | undefined, clause: Clause): string {
  return (clause === 'check' ? policy?.check : undefined) ?? policy?.using ?? 'true';
}

// Tells why no forms are offered: the role can only read. Leads those who have the key to the page about access.
import type { VNode } from 'preact';
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import type { Store } from '../store/store.ts';
import { renderPlace } from '../url-state/place.ts';

interface ReadOnlyProps {
  readonly store: Store;
  readonly relation: DescribedRelation;
}

/** The rows cannot be addressed one by one, so neither cells nor rows can be edited. */
export function NoKey({ relation: { name } }: Pick<ReadOnlyProps, 'relation'>): VNode {
  return (
    <span class="forms-note" title={`${name} has no primary key, so the explorer cannot address one of its rows.`}>
      Read only: no key
    </span>
  );
}

export function ReadOnly({ store, relation: { name } }: ReadOnlyProps): VNode {
  const role = store.known.value?.document.role ?? '';
  const title = `The role ${role} can read ${name}, but not change it.`;
  if (store.signingKey.value === undefined) {
    return (
      <span class="forms-note" title={title}>
        Read only
      </span>
    );
  }
  const href = renderPlace({ kind: 'access', schema: store.place.value.schema, focus: name });
  return (
    <a class="ui-button ui-button-quiet ui-button-small" href={href} title={`${title} See the access of roles.`}>
      Read only
    </a>
  );
}

// Leads to the page that explains why a row is hidden, for those who have the key.
import type { VNode } from 'preact';
import type { Store } from '../store/store.ts';
import { renderPlace } from '../url-state/place.ts';

interface ExplainLinkProps {
  readonly store: Store;
  /** Path of a relation, with the key of a row if it is known. */
  readonly url: string;
}

export function ExplainLink({ store, url }: ExplainLinkProps): VNode | null {
  if (store.signingKey.value === undefined) return null;
  const { schema } = store.place.value;
  return (
    <a class="ui-button ui-button-default" href={renderPlace({ kind: 'explain', schema, url })}>
      Why is a row hidden?
    </a>
  );
}

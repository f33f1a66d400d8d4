// Hook that asks `rowhouse dev` who may do what in the schema, again when the key, the schema or `version` changes.
import { useEffect, useState } from 'preact/hooks';
import { ACCESS_PATHS, type AccessDocument } from '../../../src/contract/access-document.ts';
import type { Exchange } from '../client/exchange.ts';
import type { Store } from './store.ts';

export type Answer<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly exchange: Exchange }
  | { readonly kind: 'ready'; readonly value: T };

/** @param version changes to ask again, without hiding the previous answer meanwhile; undefined asks nothing */
export function useAccess(store: Store, version: number | undefined): Answer<AccessDocument> {
  const [answer, setAnswer] = useState<Answer<AccessDocument>>({ kind: 'loading' });
  const schema = schemaOf(store);
  const key = store.signingKey.value;
  useEffect(() => {
    if (schema === undefined || key === undefined || version === undefined) return undefined;
    const abort = new AbortController();
    void store.askAccess(ACCESS_PATHS.matrix, { schema }, abort.signal).then((exchange) => {
      if (!abort.signal.aborted) setAnswer(readAnswer(exchange));
    });
    return () => abort.abort();
  }, [schema, key, version]);
  return answer;
}

/** The schema of the place; undefined until the default one is known. */
export function schemaOf(store: Store): string | undefined {
  return store.place.value.schema ?? store.known.value?.document.schema;
}

/** Trusts the content, which comes from the server of this page. */
export function readAnswer<T>(exchange: Exchange): Answer<T> {
  if (exchange.kind !== 'answered' || exchange.response.status !== 200) return { kind: 'failed', exchange };
  const value: T = JSON.parse(exchange.response.text);
  return { kind: 'ready', value };
}

/** Roles of clients: those that can use the schema first. The roles of servers and superusers can be typed. */
export function listRoles({ roles }: AccessDocument): AccessDocument['roles'] {
  const offered = roles.filter(({ isAnonymous, isSuperuser, isLogin }) => isAnonymous || (!isSuperuser && !isLogin));
  const rank = ({ isAnonymous, hasUsage }: AccessDocument['roles'][number]): number =>
    isAnonymous ? 0 : hasUsage ? 1 : 2;
  return offered.toSorted((one, other) => rank(one) - rank(other));
}

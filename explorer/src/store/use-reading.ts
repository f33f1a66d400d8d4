// Hook that reads rows with a separate request, again when the request, the token or the schema changes.
import type { Exchange, OutgoingRequest } from '../client/exchange.ts';
import { headerOf } from '../client/headers.ts';
import { type JsonObject, parseJson } from '../rows/json-value.ts';
import { totalOf } from '../rows/pages.ts';
import type { Store } from './store.ts';
import { useAnswer } from './use-answer.ts';

export type Reading =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly exchange: Exchange }
  /** `total` is undefined unless the request asks for a count. */
  | { readonly kind: 'read'; readonly rows: readonly JsonObject[]; readonly total: number | undefined };

const LOADING: Reading = { kind: 'loading' };

/**
 * @param request undefined to read nothing
 * @param version changes to read again
 */
export function useReading(store: Store, request: OutgoingRequest | undefined, version = 0): Reading {
  const key = JSON.stringify([request, store.token.value, store.place.value.schema, version]);
  const ask = request && (async (signal: AbortSignal) => readRows(await store.send(request, signal)));
  return useAnswer(ask, [key]) ?? LOADING;
}

function readRows(exchange: Exchange): Reading {
  if (exchange.kind !== 'answered' || exchange.response.status >= 300) return { kind: 'failed', exchange };
  const value = parseJson(exchange.response.text);
  if (value?.kind !== 'array') return { kind: 'failed', exchange };
  const rows = value.items.filter((item) => item.kind === 'object');
  return { kind: 'read', rows, total: totalOf(headerOf(exchange.response, 'content-range')) };
}

// Describes a request to copy, with the address of the API, the schema and the token of the page.
import type { OutgoingRequest } from '../client/exchange.ts';
import type { Store } from '../store/store.ts';
import type { CopiedRequest } from './copied-request.ts';

export interface ToCopy {
  readonly store: Store;
  readonly request: OutgoingRequest;
  /** Whether the text contains the token instead of a placeholder. */
  readonly isTokenShown: boolean;
}

export function describeCopied({ store, request, isTokenShown }: ToCopy): CopiedRequest {
  const token = store.token.value;
  return {
    base: new URL('.', document.baseURI).href,
    request,
    schema: store.place.value.schema,
    defaultSchema: store.known.value?.document.schema ?? 'public',
    token: token === undefined ? { kind: 'none' } : isTokenShown ? { kind: 'text', text: token } : { kind: 'variable' },
  };
}

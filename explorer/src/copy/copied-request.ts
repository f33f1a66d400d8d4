// The request to copy, with all data that the formats need.
import type { OutgoingRequest } from '../client/exchange.ts';

export interface CopiedRequest {
  /** Base URL of the API, with a trailing `/`. */
  readonly base: string;
  readonly request: OutgoingRequest;
  /** The requested schema; undefined for the default schema of the server. */
  readonly schema: string | undefined;
  /** Name of the default schema, for clients that always send one. */
  readonly defaultSchema: string;
  /** `variable`: the text contains a placeholder, so that the token is not shared by accident. */
  readonly token:
    | { readonly kind: 'none' }
    | { readonly kind: 'variable' }
    | { readonly kind: 'text'; readonly text: string };
}

/** Returns the URL as the browser sends it, in ASCII. */
export function absoluteUrl({ base, request }: CopiedRequest): string {
  return new URL(`.${request.url}`, base).href;
}

/** Returns the headers without `Authorization`, and without `Accept` for JSON, which is the default. */
export function headersToState({ request, schema }: CopiedRequest): OutgoingRequest['headers'] {
  const profile = isRead(request) ? 'Accept-Profile' : 'Content-Profile';
  const own = request.headers.filter(([name, value]) => !(name === 'Accept' && value === 'application/json'));
  return schema === undefined ? own : [...own, [profile, schema]];
}

export function acceptOf({ request }: CopiedRequest): string | undefined {
  return request.headers.find(([name]) => name === 'Accept')?.[1];
}

function isRead({ method }: OutgoingRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

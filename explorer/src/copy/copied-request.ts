// A request as it is copied: where it goes and all that it says, for every language alike.
import type { OutgoingRequest } from '../client/exchange.ts';

export interface CopiedRequest {
  /** The folder of the API, ending in `/`. */
  readonly base: string;
  readonly request: OutgoingRequest;
  /** The schema asked for; undefined: the server's default one. */
  readonly schema: string | undefined;
  /** By its name, for clients that always state one. */
  readonly defaultSchema: string;
  /** `variable`: a placeholder stands in the text, so that the token is not passed on by accident. */
  readonly token:
    | { readonly kind: 'none' }
    | { readonly kind: 'variable' }
    | { readonly kind: 'text'; readonly text: string };
}

/** As the browser asks for it, in plain ASCII. */
export function absoluteUrl({ base, request }: CopiedRequest): string {
  return new URL(`.${request.url}`, base).href;
}

/** Without `Authorization`. JSON is what the server answers unasked. */
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

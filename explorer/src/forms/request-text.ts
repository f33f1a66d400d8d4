// Renders a request as HTTP text for the preview.
import type { OutgoingRequest } from '../client/exchange.ts';
import { headersOf } from '../client/headers.ts';

export interface RequestSender {
  readonly schema: string | undefined;
  readonly hasToken: boolean;
}

const MAX_BODY = 4000;

/** Hides the token. */
export function renderRequest(request: OutgoingRequest, { schema, hasToken }: RequestSender): string {
  const headers = headersOf({ schema, token: hasToken ? '…' : undefined }, request);
  const head = [`${request.method} ${request.url}`, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\n');
  return request.body === undefined ? head : `${head}\n\n${cut(request.body)}`;
}

function cut(body: string): string {
  if (body.length <= MAX_BODY) return body;
  return `${body.slice(0, MAX_BODY)}\n… and ${(body.length - MAX_BODY).toLocaleString('en')} more characters`;
}

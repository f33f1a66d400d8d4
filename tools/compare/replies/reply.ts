// What a server returned for a request.
import type { HeaderList } from '../../../src/contract/http.ts';

export type Reply =
  | Response
  | { readonly kind: 'failure'; /** A sentence without its period. */ readonly reason: string };

export interface Response {
  readonly kind: 'response';
  readonly status: number;
  /** Names in lower case. */
  readonly headers: HeaderList;
  readonly body: Buffer;
}

/** Replaces the server's own address, which each server names in its description and may name in `Location`. */
export function hideAddress(reply: Reply, { host }: URL): Reply {
  if (reply.kind === 'failure') return reply;
  const headers = reply.headers.map(([name, value]) => [name, value.replaceAll(host, ADDRESS)] as const);
  // Latin-1 keeps every byte.
  const body = reply.body.includes(host)
    ? Buffer.from(reply.body.toString('latin1').replaceAll(host, ADDRESS), 'latin1')
    : reply.body;
  return { ...reply, headers, body };
}

const ADDRESS = 'server.invalid';

// Builds request headers, and reads a response header.
import type { ApiAccess } from './api-access.ts';
import type { OutgoingRequest } from './exchange.ts';

/** Adds the token and the schema to the headers of a request. */
export function headersOf(
  { token, schema }: Pick<ApiAccess, 'token' | 'schema'>,
  { method, headers }: Pick<OutgoingRequest, 'method' | 'headers'>,
): OutgoingRequest['headers'] {
  const profile = method === 'GET' || method === 'HEAD' ? 'Accept-Profile' : 'Content-Profile';
  return [
    ...headers,
    ...(schema === undefined ? [] : [[profile, schema] as const]),
    ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const]),
  ];
}

export function headerOf(response: { readonly headers: OutgoingRequest['headers'] }, name: string): string | undefined {
  return response.headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
}

/** `fetch` accepts only one character per byte; the server decodes the bytes as UTF-8. */
export function headerText(value: string): string {
  return Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join('');
}

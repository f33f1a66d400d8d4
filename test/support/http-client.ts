// Sends one request over `node:http`, which leaves the path unchanged, unlike `fetch`.
import { request as httpRequest, type Agent, type IncomingHttpHeaders } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Question {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

const TIMEOUT = 30_000;
/** `Content-Location` repeats the query, however long it is. */
const MAX_HEADERS = 1_000_000;

/** Rejects if the connection fails or no response arrives. */
export function ask(port: number, { method, url, headers, body }: Question, agent?: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      agent,
      host: '127.0.0.1',
      port,
      method,
      path: url,
      // `node:http` sets no Content-Length for a DELETE.
      headers: body === undefined ? headers : { 'Content-Length': Buffer.byteLength(body), ...headers },
      timeout: TIMEOUT,
      maxHeaderSize: MAX_HEADERS,
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')));
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text });
      });
    });
    outgoing.end(body);
  });
}

export type Parameters = readonly (readonly [name: string, value: string])[];

export function urlOf(relation: string, parameters: Parameters): string {
  const query = parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return `/${encodeURIComponent(relation)}?${query}`;
}

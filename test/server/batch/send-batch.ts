// Sends a batch and returns its response.
import type { Answer, LocalServer } from '../../support/local-server.ts';

export interface InnerRequest {
  readonly id?: string;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface InnerAnswer {
  readonly id?: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: unknown;
  readonly encoding?: string;
}

export const BATCH_TYPE = 'application/vnd.svc.batch+json';
/** Headers of a request whose response shows what it has written. */
export const SHOWN = { Prefer: 'return=representation' };

/** @param batch requests, by GET unless stated otherwise, or the text of a body */
export function sendBatch(
  server: LocalServer,
  batch: readonly InnerRequest[] | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const body = typeof batch === 'string' ? batch : JSON.stringify(batch.map((each) => ({ method: 'GET', ...each })));
  return server.get('/', { method: 'POST', headers: { 'Content-Type': BATCH_TYPE, ...headers }, body });
}

/** Returns the responses in a batch that succeeds. */
export async function answersOf(
  server: LocalServer,
  batch: readonly InnerRequest[] | string,
  headers?: Readonly<Record<string, string>>,
): Promise<readonly InnerAnswer[]> {
  const { status, text } = await sendBatch(server, batch, headers);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return JSON.parse(text) as readonly InnerAnswer[];
}

/** Returns the status of a batch that fails, and its error. */
export async function failureOf(
  server: LocalServer,
  batch: readonly InnerRequest[] | string,
  headers?: Readonly<Record<string, string>>,
): Promise<unknown> {
  const { status, text } = await sendBatch(server, batch, headers);
  return { status, ...(JSON.parse(text) as object) };
}

// Sends the mutations of a transaction, and waits until the collections contain them.
import type { Live } from '@rowhouse/live';
import { sourceOf } from './source.ts';
import { networkError, readWriteError, WriteError } from './write-error.ts';
import { type Mutation, toJson, toWrites, type Write } from './write-request.ts';

export interface CommittedTransaction {
  readonly id: string;
  readonly mutations: readonly Mutation[];
}

export interface CommitOptions {
  /** Default: made from the id of the transaction. */
  readonly idempotencyKey?: string;
  /** Milliseconds to wait for the rows after the write. Default: 10 s, or what the first collection has. */
  readonly positionTimeout?: number;
}

const BATCH = 'application/vnd.pgrst.batch+json';

/** Writes the mutations of several collections in one transaction of the database. For `createTransaction`. */
export async function commitTransaction(
  live: Live,
  transaction: CommittedTransaction,
  options: CommitOptions = {},
): Promise<void> {
  const { id, mutations } = transaction;
  const [first] = mutations;
  const [write, ...others] = toWrites(mutations);
  if (first === undefined || write === undefined) return;
  const { positionTimeout = sourceOf(first.collection).positionTimeout, idempotencyKey = `transaction-${id}` } =
    options;
  const response = await send(live, [write, ...others], idempotencyKey);
  const error = response.ok ? undefined : await readWriteError(response);
  if (error !== undefined) throw error;
  await response.body?.cancel();
  const position = response.headers.get('svc-lsn') ?? response.headers.get('pgrst-lsn');
  if (position !== null) await reach(live, position, positionTimeout);
}

/** The class of `@tanstack/offline-transactions` whose errors end a transaction. */
type FinalError = new (message: string) => Error;

/**
 * The function that sends transactions which were made offline. What the server refuses is not sent again.
 *
 * @param finalError `NonRetriableError` of `@tanstack/offline-transactions`
 */
export function offlineMutation(
  live: Live,
  finalError: FinalError,
  options: Omit<CommitOptions, 'idempotencyKey'> = {},
): (params: { readonly transaction: CommittedTransaction; readonly idempotencyKey: string }) => Promise<void> {
  return async ({ transaction, idempotencyKey }) => {
    try {
      await commitTransaction(live, transaction, { ...options, idempotencyKey });
    } catch (error) {
      if (!(error instanceof WriteError) || error.name !== 'WriteError') throw error;
      const { message, status, code, hint, details } = error;
      throw Object.assign(new finalError(message), { status, code, hint, details, cause: error });
    }
  };
}

async function send(live: Live, [first, ...others]: readonly [Write, ...Write[]], key: string): Promise<Response> {
  const init = others.length === 0 ? toInit(first) : { method: 'POST', body: toJson([first, ...others].map(toPart)) };
  const path = others.length === 0 ? first.path : '/';
  const type = others.length === 0 ? 'application/json' : BATCH;
  const prefer = others.length > 0 || first.prefer === undefined ? 'position' : `position, ${first.prefer}`;
  const headers = { 'idempotency-key': key, 'content-type': type, prefer };
  const sent = (lastSent.get(live) ?? Promise.resolve()).then(() => live.fetch(path, { ...init, headers }));
  lastSent.set(
    live,
    sent.catch(() => undefined),
  );
  try {
    return await sent;
  } catch (error) {
    throw networkError(error);
  }
}

/** Resolves when the last write has its response. Otherwise an update could overtake its insert. */
const lastSent = new WeakMap<Live, Promise<unknown>>();

function toInit({ method, body }: Write): RequestInit {
  return body === undefined ? { method } : { method, body: toJson(body) };
}

function toPart({ method, path, prefer, body }: Write): object {
  return { method, path, body, headers: prefer === undefined ? undefined : { prefer } };
}

/** The write is done, so no failure to wait for it is one of the write. */
async function reach(live: Live, position: string, milliseconds: number): Promise<void> {
  const signal = AbortSignal.timeout(milliseconds);
  await live.reached(position, { signal }).catch(() => undefined);
}

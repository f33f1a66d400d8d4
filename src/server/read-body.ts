// The body of a request, read whole and no further than allowed.
import type { IncomingMessage } from 'node:http';
import type { ApiError } from '../errors/api-error.ts';

export type BodyRead =
  | { readonly kind: 'body'; readonly bytes: Uint8Array }
  | { readonly kind: 'tooLarge' }
  /** The client went away, or stopped sending. */
  | { readonly kind: 'aborted' };

export const NO_BODY: BodyRead & { readonly kind: 'body' } = { kind: 'body', bytes: new Uint8Array() };
const TOO_LARGE: BodyRead = { kind: 'tooLarge' };
const ABORTED: BodyRead = { kind: 'aborted' };

/** Milliseconds without a byte after which the rest is given up. An upload may take as long as it makes progress. */
const STALL_PATIENCE = 60_000;

/** Whether there is a body to be read at all: without one, a request need not wait. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

/** @param maxSize bytes */
export async function readBody(incoming: IncomingMessage, maxSize: number): Promise<BodyRead> {
  if (isDeclaredTooLarge(incoming, maxSize)) return TOO_LARGE;
  const { socket } = incoming;
  const giveUp = (): unknown => socket.destroy();
  socket.setTimeout(STALL_PATIENCE, giveUp);
  const body = await collect(incoming, maxSize);
  // Named, so that it goes: a connection kept alive carries many bodies.
  socket.setTimeout(0, giveUp);
  return body;
}

/** @param maxSize bytes */
export function bodyTooLarge(maxSize: number): ApiError {
  const limit = `Request bodies have up to ${maxSize} bytes`;
  return { kind: 'limitExceeded', limit, option: 'server-max-body-size', status: 413 };
}

export function isDeclaredTooLarge({ headers }: IncomingMessage, maxSize: number): boolean {
  return Number(headers['content-length'] ?? 0) > maxSize;
}

function collect(incoming: IncomingMessage, maxSize: number): Promise<BodyRead> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxSize) {
        chunks.length = 0;
        resolve(TOO_LARGE);
      } else chunks.push(chunk);
    });
    incoming.on('end', () => resolve({ kind: 'body', bytes: join(chunks, size) }));
    incoming.on('error', () => resolve(ABORTED));
    incoming.on('close', () => resolve(ABORTED));
  });
}

function join(chunks: readonly Buffer[], size: number): Uint8Array {
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, size);
}

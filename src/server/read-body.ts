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

/** Bytes after which a declared length is believed, and the room for all of the body is taken. */
const BELIEVED = 1_048_576;

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
    const collector = new ChunkCollector(Number(incoming.headers['content-length'] ?? 0));
    incoming.on('data', (chunk: Buffer) => {
      if (collector.size + chunk.length <= maxSize) return collector.add(chunk);
      collector.clear();
      return resolve(TOO_LARGE);
    });
    incoming.on('end', () => resolve({ kind: 'body', bytes: collector.join() }));
    incoming.on('error', () => resolve(ABORTED));
    incoming.on('close', () => resolve(ABORTED));
  });
}

class ChunkCollector {
  size = 0;
  readonly #declared: number;
  #chunks: Buffer[] = [];
  /** Room for all of a long body, so that its chunks need not be kept until the last has come. */
  #room: Buffer | undefined;

  /** @param declared bytes that will come, 0 where that is not known */
  constructor(declared: number) {
    this.#declared = declared;
  }

  add(chunk: Buffer): void {
    if (this.#room === undefined) this.#chunks.push(chunk);
    else chunk.copy(this.#room, this.size);
    this.size += chunk.length;
    if (this.#room === undefined && this.size > BELIEVED && this.#declared > this.size) this.#makeRoom();
  }

  clear(): void {
    this.#chunks = [];
  }

  join(): Uint8Array {
    const [first] = this.#chunks;
    if (this.#room !== undefined) return this.#room;
    return this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks, this.size);
  }

  #makeRoom(): void {
    this.#room = Buffer.allocUnsafe(this.#declared);
    Buffer.concat(this.#chunks, this.size).copy(this.#room);
    this.clear();
  }
}

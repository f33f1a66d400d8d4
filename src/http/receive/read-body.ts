// Reads the body of a request up to the limit, or hands it over to be streamed. Allocates memory as bytes
// arrive, regardless of the declared length. Reads a long body only after the rest of the request has been checked.
import type { IncomingMessage } from 'node:http';
import type { BodyReading } from '../../serve/check-head.ts';
import type { HttpResponse } from '../../contract/http.ts';
import type { Result } from '../../contract/result.ts';
import { type ArrivalRules, IncomingBody } from './arriving-body.ts';
import { GrowingBytes } from './growing-bytes.ts';

export type BodyRead =
  | { readonly kind: 'body'; readonly bytes: Uint8Array }
  /** Streamed: read on demand; release it after use. */
  | { readonly kind: 'arriving'; readonly body: IncomingBody }
  | { readonly kind: 'refused'; readonly response: HttpResponse }
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'tooSlow' }
  /** The client has disconnected. */
  | { readonly kind: 'aborted' };

export interface BodyRules extends ArrivalRules {
  /** Size limit of a body that is read whole, in bytes. */
  readonly maxSize: number;
  /** Whether the body may be streamed instead. */
  readonly mayArrive: boolean;
  /** Returns how to read the body, or a response that does not depend on the body. */
  readonly check: () => Promise<Result<BodyReading, HttpResponse>>;
  /** Called before the client sends its body, if it waits for `100 Continue`. */
  readonly onReadStart: (() => void) | undefined;
  /** Whether the body is used; otherwise it is discarded. */
  readonly isUsed: boolean;
}

export const EMPTY_BODY: Uint8Array = new Uint8Array();

/** Bytes of a body to read before the rest of the request has been checked. */
export const UNCHECKED_BYTES = 65_536;

/** Whether the request has a body; otherwise it need not wait for one. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

export async function readBody(incoming: IncomingMessage, rules: BodyRules): Promise<BodyRead> {
  const declared = Number(incoming.headers['content-length'] ?? 0);
  if (incoming.destroyed) return { kind: 'aborted' };
  if (declared > rules.maxSize && !rules.mayArrive) return { kind: 'tooLarge' };
  const isLong = declared > uncheckedBytes(rules) || rules.onReadStart !== undefined;
  if (!isLong) return new BodyReader(incoming, rules, { declared, limit: undefined }).read();
  const reading = await rules.check();
  if (!reading.ok) return { kind: 'refused', response: reading.error };
  if (incoming.destroyed) return { kind: 'aborted' };
  const limit = limitOf(reading.value, rules);
  if (declared > limit.bytes && !limit.isArriving) return { kind: 'tooLarge' };
  rules.onReadStart?.();
  return new BodyReader(incoming, rules, { declared, limit }).read();
}

/** Returns the number of bytes to read before the rest of the request has been checked. */
function uncheckedBytes({ maxSize }: Pick<BodyRules, 'maxSize'>): number {
  return Math.min(UNCHECKED_BYTES, maxSize);
}

/**
 * Returns a body that has already arrived.
 *
 * @returns undefined if the body is incomplete, or too long to be read unchecked
 */
export function takeReceived(
  incoming: IncomingMessage,
  rules: Pick<BodyRules, 'maxSize' | 'isUsed'>,
): Uint8Array | undefined {
  const declared = Number(incoming.headers['content-length'] ?? 0);
  const received = incoming.readableLength;
  // Node's parser reports the end only after the code that waited for the last bytes has run.
  if (declared > 0 && received === declared) incoming.complete = true;
  if (!incoming.complete || received > uncheckedBytes(rules)) return undefined;
  const bytes = readBuffered(incoming);
  return rules.isUsed ? bytes : EMPTY_BODY;
}

/** Since version 26, Node returns one piece for each call. */
function readBuffered(incoming: IncomingMessage): Uint8Array {
  const first: unknown = incoming.read();
  if (!(first instanceof Uint8Array)) return EMPTY_BODY;
  const pieces = [first];
  while (incoming.readableLength > 0) {
    const piece: unknown = incoming.read();
    if (!(piece instanceof Uint8Array)) break;
    pieces.push(piece);
  }
  return pieces.length === 1 ? first : Buffer.concat(pieces);
}

/** Size above which a body is no longer read whole. */
export interface SizeLimit {
  readonly bytes: number;
  /** Whether a larger body is streamed; otherwise it is rejected. */
  readonly isArriving: boolean;
}

const UNDECIDED: SizeLimit = { bytes: Infinity, isArriving: false };

/** Returns the limit of a body; a streamed body need not fit in memory. */
export function limitOf({ arrivesAbove }: BodyReading, { maxSize }: Pick<BodyRules, 'maxSize'>): SizeLimit {
  return { bytes: Math.min(arrivesAbove ?? maxSize, maxSize), isArriving: arrivesAbove !== undefined };
}

interface Expectation {
  /** Length in bytes; 0 if unknown. */
  readonly declared: number;
  /** Undefined if the rest of the request has not been checked. */
  readonly limit: SizeLimit | undefined;
}

class BodyReader {
  size = 0;
  readonly #incoming: IncomingMessage;
  readonly #rules: BodyRules;
  readonly #bytes: GrowingBytes;
  #limit: SizeLimit | undefined;
  #isHandedOver = false;
  #settle: (read: BodyRead) => void = () => undefined;

  constructor(incoming: IncomingMessage, rules: BodyRules, { declared, limit }: Expectation) {
    this.#incoming = incoming;
    this.#rules = rules;
    this.#bytes = new GrowingBytes(declared);
    // A discarded body needs no check.
    this.#limit = rules.isUsed ? limit : { bytes: rules.maxSize, isArriving: false };
  }

  async read(): Promise<BodyRead> {
    const { watch } = this.#rules;
    const read = new Promise<BodyRead>((resolve) => (this.#settle = resolve));
    this.#incoming.on('data', this.#add);
    const abort = (): void => this.#settle({ kind: 'aborted' });
    this.#incoming.on('end', () => {
      // The request closes while a long body is joined.
      this.#incoming.off('close', abort);
      this.#rules.watch.remove(this);
      const bytes = this.#bytes.join();
      if (bytes instanceof Promise) void bytes.then((joined) => this.#settle({ kind: 'body', bytes: joined }));
      else this.#settle({ kind: 'body', bytes });
    });
    this.#incoming.on('error', abort);
    this.#incoming.on('close', abort);
    watch.add(this);
    try {
      return await read;
    } finally {
      watch.remove(this);
    }
  }

  giveUp(): void {
    this.#end({ kind: 'tooSlow' });
  }

  readonly #add = (chunk: Buffer): void => {
    const { maxSize, mayArrive, isUsed } = this.#rules;
    this.size += chunk.length;
    if (this.size > maxSize && !mayArrive) return this.#end({ kind: 'tooLarge' });
    if (isUsed) this.#bytes.add(chunk);
    if (this.#limit !== undefined) this.#checkSize(this.#limit);
    else if (this.size > uncheckedBytes(this.#rules)) void this.#check();
  };

  async #check(): Promise<void> {
    // Chunks that arrive during the check wait for its result.
    this.#limit = UNDECIDED;
    this.#incoming.pause();
    const reading = await this.#rules.check();
    if (reading.ok) this.#checkSize((this.#limit = limitOf(reading.value, this.#rules)));
    else this.#end({ kind: 'refused', response: reading.error });
    if (!this.#isHandedOver) this.#incoming.resume();
  }

  #checkSize({ bytes, isArriving }: SizeLimit): void {
    if (this.size <= bytes) return;
    if (!isArriving) return this.#end({ kind: 'tooLarge' });
    this.#isHandedOver = true;
    this.#incoming.off('data', this.#add);
    this.#settle({ kind: 'arriving', body: new IncomingBody(this.#incoming, this.#rules, this.#bytes.takeSegments()) });
  }

  /** Ends reading before the body is complete. */
  #end(read: BodyRead): void {
    this.#incoming.off('data', this.#add);
    this.#bytes.clear();
    this.#settle(read);
  }
}

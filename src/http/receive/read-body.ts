// Reads the whole body of a request, up to the limit, or hands it over to be read while it is used. Memory is allocated as
// bytes arrive, whatever length is declared, and a long body is read only after the rest of the request has been checked.
import type { IncomingMessage } from 'node:http';
import type { BodyReading } from '../../check-head.ts';
import type { HttpResponse } from '../../contract/http.ts';
import type { Result } from '../../contract/result.ts';
import { type ArrivalRules, IncomingBody } from './arriving-body.ts';
import { GrowingBytes } from './growing-bytes.ts';

export type BodyRead =
  | { readonly kind: 'body'; readonly bytes: Uint8Array }
  /** It is read while it is used; to be released after that. */
  | { readonly kind: 'arriving'; readonly body: IncomingBody }
  | { readonly kind: 'refused'; readonly response: HttpResponse }
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'tooSlow' }
  /** The client went away. */
  | { readonly kind: 'aborted' };

export interface BodyRules extends ArrivalRules {
  /** Bytes of a body that is taken whole. */
  readonly maxSize: number;
  /** Whether it may be that it is not. */
  readonly mayArrive: boolean;
  /** How the body is read, or the answer to a request that gets it whatever its body is. */
  readonly check: () => Promise<Result<BodyReading, HttpResponse>>;
  /** To be called before the client sends its body, where it waits for that. */
  readonly onReadStart: (() => void) | undefined;
  /** Whether the body is used. */
  readonly isKept: boolean;
}

export const EMPTY_BODY: Uint8Array = new Uint8Array();

/** Bytes of a body that are read before the rest of the request has been checked. */
export const UNCHECKED_BYTES = 65_536;

/** Whether there is a body to be read at all: without one, a request need not wait. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

export async function readBody(incoming: IncomingMessage, rules: BodyRules): Promise<BodyRead> {
  const declared = Number(incoming.headers['content-length'] ?? 0);
  if (declared > rules.maxSize && !rules.mayArrive) return { kind: 'tooLarge' };
  const isLong = declared > uncheckedBytes(rules) || rules.onReadStart !== undefined;
  if (!isLong) {
    // Node's parser is still at work on the packet that has brought the head: most bodies come in the same one.
    await Promise.resolve();
    if (incoming.destroyed) return { kind: 'aborted' };
    const bytes = takeReceived(incoming, rules, declared);
    return bytes === undefined
      ? new BodyReader(incoming, rules, { declared, limit: undefined }).read()
      : { kind: 'body', bytes };
  }
  const reading = await rules.check();
  if (!reading.ok) return { kind: 'refused', response: reading.error };
  if (incoming.destroyed) return { kind: 'aborted' };
  const limit = limitOf(reading.value, rules);
  if (declared > limit.bytes && !limit.isArriving) return { kind: 'tooLarge' };
  rules.onReadStart?.();
  return new BodyReader(incoming, rules, { declared, limit }).read();
}

/** Those of a body that are taken before the rest of the request has been checked. */
function uncheckedBytes({ maxSize }: BodyRules): number {
  return Math.min(UNCHECKED_BYTES, maxSize);
}

/**
 * @param declared bytes; 0: unknown
 * @returns undefined for a body that has not come whole, or is too long to be taken unchecked
 */
function takeReceived(incoming: IncomingMessage, rules: BodyRules, declared: number): Uint8Array | undefined {
  const received = incoming.readableLength;
  // Node's parser tells of the end only after whoever waited for the last bytes has run.
  if (declared > 0 && received === declared) incoming.complete = true;
  if (!incoming.complete || received > uncheckedBytes(rules)) return undefined;
  const bytes: unknown = incoming.read();
  return rules.isKept && bytes instanceof Uint8Array ? bytes : EMPTY_BODY;
}

/** Bytes beyond which a body is no longer held. */
export interface SizeLimit {
  readonly bytes: number;
  /** Then it is used while it arrives; otherwise it is too large. */
  readonly isArriving: boolean;
}

const UNDECIDED: SizeLimit = { bytes: Infinity, isArriving: false };

/** A body that is not held need not fit. */
export function limitOf({ arrivesAbove }: BodyReading, { maxSize }: Pick<BodyRules, 'maxSize'>): SizeLimit {
  return { bytes: Math.min(arrivesAbove ?? maxSize, maxSize), isArriving: arrivesAbove !== undefined };
}

interface Expectation {
  /** Bytes; 0: unknown. */
  readonly declared: number;
  /** Undefined: the rest of the request has not been checked. */
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
    // A body that is not kept needs no check.
    this.#limit = rules.isKept ? limit : { bytes: rules.maxSize, isArriving: false };
  }

  async read(): Promise<BodyRead> {
    const { watch } = this.#rules;
    const read = new Promise<BodyRead>((resolve) => (this.#settle = resolve));
    this.#incoming.on('data', this.#add);
    this.#incoming.on('end', () => this.#settle({ kind: 'body', bytes: this.#bytes.join() }));
    this.#incoming.on('error', () => this.#settle({ kind: 'aborted' }));
    this.#incoming.on('close', () => this.#settle({ kind: 'aborted' }));
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
    const { maxSize, mayArrive, isKept } = this.#rules;
    this.size += chunk.length;
    if (this.size > maxSize && !mayArrive) return this.#end({ kind: 'tooLarge' });
    if (isKept) this.#bytes.add(chunk);
    if (this.#limit !== undefined) this.#weigh(this.#limit);
    else if (this.size > uncheckedBytes(this.#rules)) void this.#check();
  };

  async #check(): Promise<void> {
    // Whatever is still to come of what has been read waits for the answer.
    this.#limit = UNDECIDED;
    this.#incoming.pause();
    const reading = await this.#rules.check();
    if (reading.ok) this.#weigh((this.#limit = limitOf(reading.value, this.#rules)));
    else this.#end({ kind: 'refused', response: reading.error });
    if (!this.#isHandedOver) this.#incoming.resume();
  }

  #weigh({ bytes, isArriving }: SizeLimit): void {
    if (this.size <= bytes) return;
    if (!isArriving) return this.#end({ kind: 'tooLarge' });
    this.#isHandedOver = true;
    this.#incoming.off('data', this.#add);
    this.#settle({ kind: 'arriving', body: new IncomingBody(this.#incoming, this.#rules, this.#bytes.join()) });
    this.#bytes.clear();
  }

  /** Before all of it has come. */
  #end(read: BodyRead): void {
    this.#incoming.off('data', this.#add);
    this.#bytes.clear();
    this.#settle(read);
  }
}

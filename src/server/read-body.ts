// Reads the whole body of a request, up to the limit. Memory is allocated as bytes arrive, whatever length is declared, and
// a long body is read only after the rest of the request has been checked.
import type { IncomingMessage } from 'node:http';
import type { HttpResponse } from '../contract/http.ts';
import type { BodyWatch } from './body-pace.ts';
import { GrowingBytes } from './growing-bytes.ts';

export type BodyRead =
  | { readonly kind: 'body'; readonly bytes: Uint8Array }
  | { readonly kind: 'refused'; readonly response: HttpResponse }
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'tooSlow' }
  /** The client went away. */
  | { readonly kind: 'aborted' };

export interface BodyRules {
  /** Bytes. */
  readonly maxSize: number;
  /** The answer to a request that gets it whatever its body is. */
  readonly check: () => Promise<HttpResponse | undefined>;
  /** To be called before the client sends its body, where it waits for that. */
  readonly onWanted: (() => void) | undefined;
  /** Whether the body is used. */
  readonly isKept: boolean;
  readonly watch: BodyWatch;
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
  if (declared > rules.maxSize) return { kind: 'tooLarge' };
  const isLong = declared > UNCHECKED_BYTES || rules.onWanted !== undefined;
  if (isLong) {
    const response = await rules.check();
    if (response !== undefined) return { kind: 'refused', response };
    if (incoming.destroyed) return { kind: 'aborted' };
    rules.onWanted?.();
  }
  return new BodyReader(incoming, rules, { declared, isChecked: isLong }).read();
}

interface Expectation {
  /** Bytes; 0: unknown. */
  readonly declared: number;
  readonly isChecked: boolean;
}

class BodyReader {
  size = 0;
  readonly #incoming: IncomingMessage;
  readonly #rules: BodyRules;
  readonly #bytes: GrowingBytes;
  #isChecked: boolean;
  #settle: (read: BodyRead) => void = () => undefined;

  constructor(incoming: IncomingMessage, rules: BodyRules, { declared, isChecked }: Expectation) {
    this.#incoming = incoming;
    this.#rules = rules;
    this.#bytes = new GrowingBytes(declared);
    // A body that is not kept needs no check.
    this.#isChecked = isChecked || !rules.isKept;
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
    this.size += chunk.length;
    if (this.size > this.#rules.maxSize) return this.#end({ kind: 'tooLarge' });
    if (this.#rules.isKept) this.#bytes.add(chunk);
    if (!this.#isChecked && this.size > UNCHECKED_BYTES) void this.#check();
  };

  async #check(): Promise<void> {
    this.#isChecked = true;
    this.#incoming.pause();
    const response = await this.#rules.check();
    if (response !== undefined) this.#end({ kind: 'refused', response });
    this.#incoming.resume();
  }

  /** Before all of it has come. */
  #end(read: BodyRead): void {
    this.#incoming.off('data', this.#add);
    this.#bytes.clear();
    this.#settle(read);
  }
}

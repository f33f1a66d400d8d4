// The body of a Fetch request as something that arrives: its stream is read as fast as it is used.
import type { ArrivingBody, BodyStep } from '../contract/http.ts';

/** What is needed of a stream's reader. */
export interface BodyReader {
  read(): Promise<
    { readonly done: true; readonly value?: unknown } | { readonly done: false; readonly value: Uint8Array }
  >;
  cancel(): Promise<void>;
}

export class ReadableBody implements ArrivingBody {
  readonly #reader: BodyReader;
  #received: Uint8Array | undefined;

  /** @param received what has been read before */
  constructor(reader: BodyReader, received: Uint8Array) {
    this.#reader = reader;
    this.#received = received;
  }

  async next(): Promise<BodyStep> {
    const received = this.#received;
    this.#received = undefined;
    if (received !== undefined) return { kind: 'bytes', bytes: received };
    try {
      const { done, value } = await this.#reader.read();
      return done ? { kind: 'end' } : { kind: 'bytes', bytes: value };
    } catch {
      return { kind: 'cut' };
    }
  }

  /** To be called when the request has been answered: the rest is not read. */
  release(): void {
    this.#reader.cancel().catch(() => undefined);
  }
}

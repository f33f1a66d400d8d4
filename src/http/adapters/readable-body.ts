// The body of a Fetch request as an `ArrivingBody`: reads its stream as fast as the consumer does. Has the states and
// events of `arriving-body.ts`, but does not enforce a pace, which is up to the host.
import type { ArrivingBody, BodyStep } from '../../contract/http.ts';
import type { ClientWaits } from '../limits/admission.ts';

/** The methods of a stream reader that are used. */
export interface BodyReader {
  read(): Promise<
    { readonly done: true; readonly value?: unknown } | { readonly done: false; readonly value: Uint8Array }
  >;
  cancel(): Promise<void>;
}

const CUT: BodyStep = { kind: 'cut' };

export class ReadableBody implements ArrivingBody {
  readonly #reader: BodyReader;
  readonly #waits: ClientWaits;
  #received: Uint8Array[];
  #isReleased = false;
  /** Settles the pending call of `next`. */
  #answer: ((step: BodyStep) => void) | undefined;

  /** @param received bytes that have already been read */
  constructor(reader: BodyReader, waits: ClientWaits, received: Uint8Array[]) {
    this.#reader = reader;
    this.#waits = waits;
    this.#received = received;
  }

  next(): Promise<BodyStep> {
    const received = this.#received.shift();
    if (received !== undefined) return Promise.resolve({ kind: 'bytes', bytes: received });
    if (this.#isReleased) return Promise.resolve(CUT);
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.#waits.beginClientWait();
      void this.#read().then((step) => this.#settle(step));
    });
  }

  /** Call when the request has been answered: the rest is not read. */
  release(): void {
    this.#isReleased = true;
    this.#received = [];
    this.#reader.cancel().catch(() => undefined);
    this.#settle(CUT);
  }

  async #read(): Promise<BodyStep> {
    try {
      const { done, value } = await this.#reader.read();
      return done ? { kind: 'end' } : { kind: 'bytes', bytes: value };
    } catch {
      return CUT;
    }
  }

  #settle(step: BodyStep): void {
    const answer = this.#answer;
    if (answer === undefined) return;
    this.#answer = undefined;
    this.#waits.endClientWait();
    answer(step);
  }
}

// A streamed request body: each chunk is read from the socket when the consumer requests it, so
// the client sends no faster than the consumer reads. Only the time spent waiting for the client counts towards its
// pace.
//
// States and events (`test/http/arriving-body.walk.test.ts` tests random sequences). In every state but `awaited`, the
// socket is not read, the pace is not measured, and the request does not count as waiting for its client.
//
// | state   | next                       | data   | end, error, close | too slow | release                    |
// |---------|----------------------------|--------|-------------------|----------|----------------------------|
// | held    | → awaited, or a kept chunk | keep   | → final           | –        | → final (cut)              |
// | awaited | not allowed                | → held | → final           | → final  | → final (cut)              |
// | final   | kept chunks, final step    | –      | –                 | –        | drop chunks; `end` → `cut` |
//
// Every event in `awaited` settles the pending call of `next`.
import type { IncomingMessage } from 'node:http';
import type { ArrivingBody, BodyStep } from '../../contract/http.ts';
import type { ClientWaits } from '../limits/admission.ts';
import type { BodyWatch, PacedTransfer } from '../limits/body-pace.ts';

export interface ArrivalRules {
  readonly watch: BodyWatch;
  readonly waits: ClientWaits;
}

/** Bytes after which measurement starts again: a client that has sent much must not stop for long. */
const PACE_WINDOW = 1_048_576;

const CUT: BodyStep = { kind: 'cut' };

export class IncomingBody implements ArrivingBody, PacedTransfer {
  /** Bytes of the current window. */
  size = 0;
  readonly #incoming: IncomingMessage;
  readonly #rules: ArrivalRules;
  #chunks: Uint8Array[];
  /** The result of every further call of `next`. */
  #final: BodyStep | undefined;
  /** Settles the pending call of `next`. */
  #answer: ((step: BodyStep) => void) | undefined;

  /** @param received bytes that have already been read */
  constructor(incoming: IncomingMessage, rules: ArrivalRules, received: Uint8Array[]) {
    this.#incoming = incoming;
    this.#rules = rules;
    this.#chunks = received;
    incoming.pause();
    incoming.on('data', this.#take);
    incoming.on('end', () => this.#end({ kind: 'end' }));
    incoming.on('error', () => this.#end(CUT));
    incoming.on('close', () => this.#end(CUT));
    if (incoming.destroyed) this.#end(CUT);
  }

  get isTooSlow(): boolean {
    return this.#final?.kind === 'tooSlow';
  }

  next(): Promise<BodyStep> {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) return Promise.resolve({ kind: 'bytes', bytes: chunk });
    if (this.#final !== undefined) return Promise.resolve(this.#final);
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.#rules.waits.beginClientWait();
      this.#rules.watch.add(this);
      this.#incoming.resume();
    });
  }

  giveUp(): void {
    this.#end({ kind: 'tooSlow' });
  }

  /** Call when the request has been answered: nobody reads the rest. */
  release(): void {
    this.#chunks = [];
    this.#end(CUT);
    // Without the dropped chunks, the end would look like that of the whole body.
    if (!this.isTooSlow) this.#final = CUT;
  }

  readonly #take = (chunk: Buffer): void => {
    this.size += chunk.length;
    this.#incoming.pause();
    if (this.size > PACE_WINDOW) {
      this.#rules.watch.remove(this);
      this.size = 0;
    } else this.#rules.watch.suspend(this);
    if (this.#answer === undefined) this.#chunks.push(chunk);
    else this.#settle({ kind: 'bytes', bytes: chunk });
  };

  #end(step: BodyStep): void {
    this.#final ??= step;
    this.#incoming.off('data', this.#take);
    this.#rules.watch.remove(this);
    this.#settle(this.#final);
  }

  #settle(step: BodyStep): void {
    const answer = this.#answer;
    if (answer === undefined) return;
    this.#answer = undefined;
    this.#rules.waits.endClientWait();
    answer(step);
  }
}

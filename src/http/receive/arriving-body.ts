// The body of a request as something that arrives: each chunk is read from the socket when the consumer asks for it, so the
// client sends no faster than the consumer takes. Only the time in which it is asked for counts as the client's.
//
// States and events (`test/http/arriving-body.walk.test.ts` walks them at random). In every state but `awaited` the socket
// is not read, the pace is not measured, and the request does not count as one that waits for its client.
//
// | state    | next              | data              | end, error, close | too slow          | release            |
// |----------|-------------------|-------------------|-------------------|-------------------|--------------------|
// | held     | → awaited; with a chunk kept: that one | keeps | → final  | –                 | → final (cut)      |
// | awaited  | not allowed       | → held, answers   | → final, answers  | → final, answers  | → final (cut), answers |
// | final    | chunks kept, then the final step | – | –                | –                 | drops chunks; `end` becomes `cut` |
import type { IncomingMessage } from 'node:http';
import type { ArrivingBody, BodyStep } from '../../contract/http.ts';
import type { ClientWaits } from '../limits/admission.ts';
import type { BodyWatch, WatchedBody } from '../limits/body-pace.ts';

export interface ArrivalRules {
  readonly watch: BodyWatch;
  readonly waits: ClientWaits;
}

/** Bytes after which the pace is measured from the start: a client that has sent much must not stop for long. */
const PACE_WINDOW = 1_048_576;

const CUT: BodyStep = { kind: 'cut' };

export class IncomingBody implements ArrivingBody, WatchedBody {
  /** Bytes of the present window. */
  size = 0;
  readonly #incoming: IncomingMessage;
  readonly #rules: ArrivalRules;
  #chunks: Uint8Array[];
  /** The answer to every further call. */
  #final: BodyStep | undefined;
  /** Resolves the call that waits for the client. */
  #answer: ((step: BodyStep) => void) | undefined;

  /** @param received bytes that have been read before */
  constructor(incoming: IncomingMessage, rules: ArrivalRules, received: Uint8Array) {
    this.#incoming = incoming;
    this.#rules = rules;
    this.#chunks = [received];
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

  /** To be called once the request has been answered: nobody reads the rest. */
  release(): void {
    this.#chunks = [];
    this.#end(CUT);
    // Without the chunks, the end would pass for that of the whole body.
    if (!this.isTooSlow) this.#final = CUT;
  }

  readonly #take = (chunk: Buffer): void => {
    this.size += chunk.length;
    this.#incoming.pause();
    if (this.size > PACE_WINDOW) {
      this.#rules.watch.remove(this);
      this.size = 0;
    } else this.#rules.watch.hold(this);
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

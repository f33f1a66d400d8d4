// The body of a request as something that arrives: each chunk is read from the socket when it is asked for, so that the
// client is held up by whoever uses it. Only the time in which it is asked for counts as the client's.
import type { IncomingMessage } from 'node:http';
import type { ArrivingBody, BodyStep } from '../contract/http.ts';
import type { BodyWatch, WatchedBody } from './body-pace.ts';

/** Bytes after which the pace is measured from the start: whoever has sent much must not stop for long. */
const PACE_WINDOW = 1_048_576;

export class IncomingBody implements ArrivingBody, WatchedBody {
  /** Bytes of the present window. */
  size = 0;
  readonly #incoming: IncomingMessage;
  readonly #watch: BodyWatch;
  #chunks: Uint8Array[];
  /** What every further call is answered. */
  #final: BodyStep | undefined;
  #answer: ((step: BodyStep) => void) | undefined;

  /** @param received what has been read before */
  constructor(incoming: IncomingMessage, watch: BodyWatch, received: readonly Uint8Array[]) {
    this.#incoming = incoming;
    this.#watch = watch;
    this.#chunks = [...received];
    incoming.pause();
    incoming.on('data', this.#take);
    incoming.on('end', () => this.#end({ kind: 'end' }));
    incoming.on('error', () => this.#end({ kind: 'cut' }));
    incoming.on('close', () => this.#end({ kind: 'cut' }));
    if (incoming.destroyed) this.#end({ kind: 'cut' });
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
      this.#watch.add(this);
      this.#incoming.resume();
    });
  }

  giveUp(): void {
    this.#end({ kind: 'tooSlow' });
  }

  /** To be called when the request has been answered: what else comes is nobody's. */
  release(): void {
    this.#incoming.off('data', this.#take);
    this.#chunks = [];
    this.#end({ kind: 'cut' });
  }

  readonly #take = (chunk: Buffer): void => {
    this.size += chunk.length;
    this.#incoming.pause();
    if (this.size > PACE_WINDOW) {
      this.#watch.remove(this);
      this.size = 0;
    } else this.#watch.hold(this);
    const answer = this.#answer;
    this.#answer = undefined;
    if (answer === undefined) this.#chunks.push(chunk);
    else answer({ kind: 'bytes', bytes: chunk });
  };

  #end(step: BodyStep): void {
    this.#final ??= step;
    this.#watch.remove(this);
    this.#answer?.(this.#final);
    this.#answer = undefined;
  }
}

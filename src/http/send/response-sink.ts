// Sends a streamed body to `node:http`. The only place that starts, ends and cuts off a streamed response and releases
// its body.
//
// States and events (`test/http/response-sink.test.ts` tests random sequences):
//
// | state   | turn comes                               | take                | drain     | end      | fail, throw                   | client too slow | close    |
// |---------|------------------------------------------|---------------------|-----------|----------|-------------------------------|-----------------|----------|
// | queued  | → flowing; body failed: → closed, refuse | –                   | –         | –        | –                             | –               | → closed |
// | flowing | –                                        | write, or → blocked | –         | → ending | → closed, refuse; or → ending | –               | → closed |
// | blocked | –                                        | –                   | → flowing | → ending | → closed, refuse; or → ending | → closed        | → closed |
// | ending  | –                                        | –                   | –         | –        | –                             | → closed        | → closed |
// | closed  | –                                        | –                   | –         | –        | –                             | –               | –        |
//
// Queued: the response waits for its turn behind others on its connection, and its body is not read. Refuse: nothing has
// been sent, so an error response is sent instead; once the head has been sent, the response is cut off (→ ending).
// Ending: everything written is still sent, complete or not. Client too slow: `SendWait.giveUp` closes the connection.
// On the transition to closed, the wait for the client ends. On that transition, and after a throw on the transition to
// ending, an unfinished body is cancelled.
import type { BodySink, BodyStream } from '../../contract/body-stream.ts';
import type { DisconnectSignal } from '../limits/connections.ts';
import { cutOff } from './cut-off.ts';
import type { HttpExchange } from '../limits/pipeline-queue.ts';
import { type Sending, SendWait } from './send-wait.ts';

export interface SinkParts {
  readonly body: BodyStream;
  readonly sending: Sending;
  readonly signal: Pick<DisconnectSignal, 'onDisconnect'>;
  readonly onCrash: (error: unknown) => void;
  /** Throws for an invalid header. */
  readonly writeHead: () => void;
  /** Called if the response fails before anything has been sent. */
  readonly refuse: (failure: unknown) => void;
}

/** High-water mark: bytes that may wait in this process for the client. */
const HIGH_WATER_MARK = 256 * 1024;

export class ResponseSink implements BodySink {
  readonly #exchange: HttpExchange;
  readonly #parts: SinkParts;
  readonly #wait: SendWait;
  #state: 'queued' | 'flowing' | 'blocked' | 'ending' | 'closed' = 'queued';
  /** Whether the body has been read completely or has failed. */
  #isBodyOver = false;

  constructor(exchange: HttpExchange, parts: SinkParts) {
    this.#exchange = exchange;
    this.#parts = parts;
    this.#wait = new SendWait(exchange.outgoing, parts.sending);
  }

  /** Sends the body when the response's turn on its connection comes. */
  send(): void {
    const { outgoing } = this.#exchange;
    outgoing.on('close', () => this.#close());
    this.#parts.signal.onDisconnect(() => this.#close());
    if (outgoing.destroyed) return this.#close();
    // Node emits `drain` while it flushes what a response has written in the queue.
    if (outgoing.socket === null) outgoing.once('socket', () => process.nextTick(() => this.#begin()));
    else this.#begin();
  }

  take(piece: Uint8Array): boolean {
    if (!this.#isReading) return false;
    const { outgoing } = this.#exchange;
    const { body, writeHead } = this.#parts;
    try {
      if (!outgoing.headersSent) writeHead();
      const before = outgoing.writableLength;
      const isFree = outgoing.write(piece, (error) => {
        if (!(error instanceof Error)) body.release(piece);
      });
      const waiting = outgoing.writableLength;
      // Middleware in between, such as compression, keeps pieces where they are not counted.
      const isCounted = waiting >= before + piece.length;
      if (isFree || (isCounted && waiting < HIGH_WATER_MARK)) return true;
    } catch (error) {
      this.#crash(error);
      return false;
    }
    this.#state = 'blocked';
    this.#wait.begin();
    return false;
  }

  end(): void {
    if (!this.#isReading) return;
    this.#isBodyOver = true;
    const { outgoing } = this.#exchange;
    try {
      if (!outgoing.headersSent) this.#parts.writeHead();
      outgoing.end();
    } catch (error) {
      return this.#crash(error);
    }
    this.#finish();
  }

  fail(): void {
    if (!this.#isReading) return;
    this.#isBodyOver = true;
    this.#break(this.#parts.body.failure);
  }

  get #isReading(): boolean {
    return this.#state === 'flowing' || this.#state === 'blocked';
  }

  #begin(): void {
    if (this.#state !== 'queued') return;
    this.#state = 'flowing';
    const { body } = this.#parts;
    if (body.failure !== undefined) return this.#break(body.failure);
    this.#exchange.outgoing.on('drain', () => this.#drain());
    body.read(this);
  }

  #drain(): void {
    if (this.#state !== 'blocked') return;
    this.#state = 'flowing';
    this.#wait.suspend();
    this.#parts.body.resume();
  }

  #crash(error: unknown): void {
    this.#parts.onCrash(error);
    this.#break(error);
  }

  #break(failure: unknown): void {
    const { outgoing } = this.#exchange;
    if (outgoing.headersSent) {
      cutOff(this.#exchange, this.#parts.body.byteLength !== undefined);
      this.#finish();
      this.#cancelBody();
    } else {
      this.#close();
      this.#parts.refuse(failure);
    }
  }

  /** Writes no more; data already written is still sent. */
  #finish(): void {
    if (this.#state === 'closed') return;
    this.#state = 'ending';
    if (this.#exchange.outgoing.writableLength > 0) this.#wait.begin();
    else this.#wait.suspend();
  }

  #close(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#wait.end();
    this.#cancelBody();
  }

  #cancelBody(): void {
    if (this.#isBodyOver) return;
    this.#isBodyOver = true;
    this.#parts.body.cancel();
  }
}

// Converts a streamed body to a `ReadableStream`. Reads the body only as fast as the stream is pulled, and stops if it
// is pulled too slowly.
import type { BodySink, BodyStream } from '../../contract/body-stream.ts';
import type { PacedTransfer } from '../limits/body-pace.ts';
import type { Sending } from '../send/send-wait.ts';

/** High-water mark: bytes that may wait in this process for the consumer of the stream. */
const HIGH_WATER_MARK = 256 * 1024;

export function streamBody(body: BodyStream, sending: Sending): ReadableStream<Uint8Array> {
  const source = new PulledBody(body, sending);
  const size = (piece?: Uint8Array): number => piece?.byteLength ?? 0;
  return new ReadableStream(source, { highWaterMark: HIGH_WATER_MARK, size });
}

class PulledBody implements BodySink, PacedTransfer {
  readonly #body: BodyStream;
  readonly #sending: Sending;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #enqueued = 0;
  #counted = 0;

  constructor(body: BodyStream, sending: Sending) {
    this.#body = body;
    this.#sending = sending;
  }

  /** Bytes that the consumer has pulled. */
  get size(): number {
    return this.#enqueued - this.#waiting;
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
    this.#body.read(this);
  }

  pull(): void {
    this.#count(0);
    this.#sending.paces.suspend(this);
    this.#body.resume();
  }

  cancel(): void {
    this.#stopWaiting();
    this.#body.cancel();
  }

  take(piece: Uint8Array): boolean {
    this.#controller?.enqueue(piece);
    this.#enqueued += piece.byteLength;
    const waiting = this.#waiting;
    if (waiting < HIGH_WATER_MARK) return true;
    this.#count(waiting);
    this.#sending.paces.add(this);
    return false;
  }

  end(): void {
    this.#stopWaiting();
    this.#controller?.close();
  }

  fail(): void {
    this.#stopWaiting();
    this.#controller?.error(new Error('The rest of the response did not arrive'));
  }

  giveUp(): void {
    this.#sending.onTooSlow();
    this.fail();
    this.#body.cancel();
  }

  get #waiting(): number {
    return HIGH_WATER_MARK - (this.#controller?.desiredSize ?? HIGH_WATER_MARK);
  }

  #stopWaiting(): void {
    this.#count(0);
    this.#sending.paces.remove(this);
  }

  #count(bytes: number): void {
    const { unsent } = this.#sending;
    unsent.add(bytes);
    unsent.remove(this.#counted);
    this.#counted = bytes;
  }
}

// Wraps a streamed body and reports how many bytes of it were sent.
import type { BodySink, BodyStream } from '../contract/body-stream.ts';

export class WatchedBody implements BodyStream {
  readonly #body: BodyStream;
  readonly #onEnd: (bytes: number) => void;
  #bytes = 0;
  #hasEnded = false;

  /** @param onEnd called once, when the body has been read, cancelled, or has failed */
  constructor(body: BodyStream, onEnd: (bytes: number) => void) {
    this.#body = body;
    this.#onEnd = onEnd;
  }

  get byteLength(): number | undefined {
    return this.#body.byteLength;
  }

  get failure(): unknown {
    return this.#body.failure;
  }

  read(sink: BodySink): void {
    this.#body.read({
      take: (piece) => {
        this.#bytes += piece.byteLength;
        return sink.take(piece);
      },
      end: () => {
        sink.end();
        this.#end();
      },
      fail: () => {
        sink.fail();
        this.#end();
      },
    });
  }

  resume(): void {
    this.#body.resume();
  }

  release(piece: Uint8Array): void {
    this.#body.release(piece);
  }

  cancel(): void {
    this.#body.cancel();
    this.#end();
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnd(this.#bytes);
  }
}

// A body that is sent while it comes → a stream of the Fetch API. What is not pulled is not asked for.
import type { BodyStream } from '../contract/body-stream.ts';

/** Bytes that wait in this process for whoever reads the stream. */
const MOST_WAITING = 256 * 1024;

/** @param sendTimeoutMs after which a reader that pulls nothing gets no more, so that the database is free again */
export function streamBody(body: BodyStream, sendTimeoutMs: number): ReadableStream<Uint8Array> {
  let timer: NodeJS.Timeout | undefined;
  const start = (controller: ReadableStreamDefaultController<Uint8Array>): void =>
    body.read({
      take: (piece) => {
        controller.enqueue(piece);
        const isWanted = (controller.desiredSize ?? 0) > 0;
        if (!isWanted) timer = setTimeout(() => body.cancel(), sendTimeoutMs).unref();
        return isWanted;
      },
      end: () => controller.close(),
      fail: () => controller.error(new Error('The rest of the answer did not come')),
    });
  const pull = (): void => {
    clearTimeout(timer);
    body.resume();
  };
  const cancel = (): void => {
    clearTimeout(timer);
    body.cancel();
  };
  const size = (piece?: Uint8Array): number => piece?.byteLength ?? 0;
  return new ReadableStream({ start, pull, cancel }, { highWaterMark: MOST_WAITING, size });
}

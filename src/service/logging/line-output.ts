// Log lines → two streams. Access lines are frequent: those of one iteration of the event loop are written at once.
import type { LogOutput } from '../../observe/logger.ts';

/** The part of a stream that is used; a write may fail, since the reader of the log may exit. */
export interface LineStream {
  write(text: string): unknown;
}

export class LineOutput implements LogOutput {
  readonly #out: LineStream;
  readonly #error: LineStream;
  #outText = '';
  #isScheduled = false;

  constructor(out: LineStream, error: LineStream) {
    this.#out = out;
    this.#error = error;
  }

  writeOut(line: string): void {
    this.#outText += `${line}\n`;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.flush());
  }

  /** Immediately: it precedes the line of the request that it explains. */
  writeError(line: string): void {
    this.#error.write(`${line}\n`);
  }

  /** To be called before the process ends. */
  flush(): void {
    const text = this.#outText;
    this.#outText = '';
    this.#isScheduled = false;
    if (text !== '') this.#out.write(text);
  }
}

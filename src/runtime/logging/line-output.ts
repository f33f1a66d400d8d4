// Log lines → two streams. Access lines are many: those of one turn of the event loop are one write.
import type { LogOutput } from '../../observe/logger.ts';

/** What is needed of a stream; a write may fail, since who reads the log may go away. */
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

  /** At once: it comes before the line of the request that it explains, and whoever sees an effect finds its line. */
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

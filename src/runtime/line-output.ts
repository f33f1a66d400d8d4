// Log lines → two streams, written once for all lines of a turn of the event loop.
import type { LogOutput } from '../observe/logger.ts';

/** What is needed of a stream; a write may fail, since who reads the log may go away. */
export interface LineStream {
  write(text: string): unknown;
}

export class LineOutput implements LogOutput {
  readonly #out: LineStream;
  readonly #error: LineStream;
  #outText = '';
  #errorText = '';
  #isScheduled = false;

  constructor(out: LineStream, error: LineStream) {
    this.#out = out;
    this.#error = error;
  }

  writeOut(line: string): void {
    this.#outText += `${line}\n`;
    this.#schedule();
  }

  writeError(line: string): void {
    this.#errorText += `${line}\n`;
    this.#schedule();
  }

  /** To be called before the process ends. */
  flush(): void {
    const [outText, errorText] = [this.#outText, this.#errorText];
    this.#outText = '';
    this.#errorText = '';
    this.#isScheduled = false;
    // What explains a request comes before its line.
    if (errorText !== '') this.#error.write(errorText);
    if (outText !== '') this.#out.write(outText);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.flush());
  }
}

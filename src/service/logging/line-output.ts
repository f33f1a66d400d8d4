// Writes log lines to two streams. Access log lines are frequent, so those of one turn of the event loop are written
// together.
import type { LogOutput } from '../../observe/logger.ts';

/** The part of a stream that is used; a write may fail because the reader of the log has exited. */
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

  /** Writes immediately, so that the error precedes the access log line of its request. */
  writeError(line: string): void {
    this.#error.write(`${line}\n`);
  }

  /** Call before the process exits. */
  flush(): void {
    const text = this.#outText;
    this.#outText = '';
    this.#isScheduled = false;
    if (text !== '') this.#out.write(text);
  }
}

// Splits the output of a worker into log lines.

/** Passes on each line without its line feed; `end` passes on an incomplete last line. */
export class LineSplitter {
  readonly #write: (line: string) => void;
  #rest = '';

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  push(piece: string): void {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#write(line);
  }

  end(): void {
    if (this.#rest !== '') this.#write(this.#rest);
    this.#rest = '';
  }
}

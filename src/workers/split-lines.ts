// Pieces of a worker's output as they come → whole lines of the log.

/** Passes on each line without its end; what is left over is passed on by `end`. */
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

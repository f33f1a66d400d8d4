// Collects text and returns it as UTF-8 bytes, without ever holding all of it as a string.

const CHUNK_CHARACTERS = 65_536;

export class Utf8Writer {
  readonly #encoder = new TextEncoder();
  #chunks: Uint8Array[] = [];
  #pending = '';

  write(text: string): void {
    this.#pending += text;
    if (this.#pending.length >= CHUNK_CHARACTERS) this.#flush();
  }

  /** Returns all bytes written since the last call, in chunks, so that callers can join them in slices. */
  finish(): readonly Uint8Array[] {
    this.#flush();
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  #flush(): void {
    this.#chunks.push(this.#encoder.encode(this.#pending));
    this.#pending = '';
  }
}

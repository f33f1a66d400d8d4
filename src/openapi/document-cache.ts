// Caches the API descriptions of one schema cache, shared by roles with equal privileges. Evicts the oldest ones: the
// document of ten thousand tables takes as much memory as the rest of the server.

const MAX_BYTES = 128_000_000;
const MAX_DOCUMENTS = 50;

export class DocumentCache {
  readonly #documents = new Map<string, Promise<Uint8Array>>();
  readonly #sizes = new Map<string, number>();

  /** Concurrent callers share one build. */
  getOrBuild(key: string, build: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const known = this.#documents.get(key);
    if (known !== undefined) return known;
    const document = build();
    this.#documents.set(key, document);
    document.then(
      ({ byteLength }) => this.#keep(key, byteLength),
      () => this.#documents.delete(key),
    );
    return document;
  }

  /** Records the size of a document and evicts older ones. The newest is always kept, whatever its size. */
  #keep(key: string, size: number): void {
    this.#sizes.set(key, size);
    let total = [...this.#sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
    for (const [oldest, bytes] of this.#sizes) {
      if (oldest === key || (total <= MAX_BYTES && this.#sizes.size <= MAX_DOCUMENTS)) return;
      this.#documents.delete(oldest);
      this.#sizes.delete(oldest);
      total -= bytes;
    }
  }
}

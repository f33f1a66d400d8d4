// In: a statement for which there is no room. Out: whether it was asked for not long ago, and thus is worth the place of
// another one. Remembers in a few kilobytes, however many and however long the statements are.

/** A power of two. */
const PLACES = 1024;

export class Doorkeeper {
  /** What was asked for last, of all that share a place. */
  readonly #prints: Uint32Array = new Uint32Array(PLACES);

  /** @param parts what the statement is known by */
  admits(parts: readonly string[]): boolean {
    const print = hash(parts);
    const isKnown = this.#prints[print % PLACES] === print;
    this.#prints[print % PLACES] = print;
    return isKnown;
  }
}

/** FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hash(parts: readonly string[]): number {
  let value = 0x811c9dc5;
  for (const part of parts) {
    for (let index = 0; index < part.length; index += 1) {
      value = Math.imul(value ^ part.charCodeAt(index), 0x01000193);
    }
  }
  return value >>> 0;
}

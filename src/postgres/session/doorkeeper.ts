// Decides whether a statement is used often enough to displace another prepared statement: it must have been requested
// recently. Takes 4 kB, regardless of the number and length of statements.

/** A power of two. */
const PLACES = 1024;

export class Doorkeeper {
  /** Hash of the last statement requested at each place. */
  readonly #prints: Uint32Array = new Uint32Array(PLACES);

  /** @param parts that identify the statement */
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

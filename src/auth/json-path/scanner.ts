// A position in a text that only moves forward over what fits; both role path grammars are read with it.

export class Scanner {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#position === this.#text.length;
  }

  /** Whether the literal comes next; moves behind it if so. */
  accept(literal: string): boolean {
    const isNext = this.#text.startsWith(literal, this.#position);
    if (isNext) this.#position += literal.length;
    return isNext;
  }

  /** What a sticky pattern matches next, moving behind it; `undefined` and no move if it does not fit. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    const matched = pattern.exec(this.#text)?.[0];
    this.#position += matched?.length ?? 0;
    return matched;
  }
}

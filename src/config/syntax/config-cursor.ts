// A position in the text of a configuration file, with lookahead. It keeps the first failure and then jumps to the end
// of the text, so that the parser stops by itself and its caller reports the failure.

export interface ConfigSyntaxFailure {
  readonly offset: number;
  readonly message: string;
}

export class ConfigCursor {
  readonly #text: string;
  #offset: number = 0;
  #failure: ConfigSyntaxFailure | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get offset(): number {
    return this.#offset;
  }

  get failure(): ConfigSyntaxFailure | undefined {
    return this.#failure;
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#text.length;
  }

  startsWith(expected: string): boolean {
    return this.#text.startsWith(expected, this.#offset);
  }

  /** Consumes the text if it comes next. */
  take(expected: string): boolean {
    const isNext = this.startsWith(expected);
    if (isNext) this.#offset += expected.length;
    return isNext;
  }

  /** Consumes and returns what a sticky pattern matches here. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset;
    const found = pattern.exec(this.#text)?.[0];
    this.#offset += found?.length ?? 0;
    return found;
  }

  expect(expected: string): void {
    if (!this.take(expected)) this.fail(`expected ${expected}`);
  }

  fail(message: string, offset: number = this.#offset): undefined {
    this.#failure ??= { offset, message };
    this.#offset = this.#text.length;
  }
}

/** Returns `file:line:column`, both counted from 1. */
export function describePlace(file: string, text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${file}:${before.length}:${(before.at(-1) ?? '').length + 1}`;
}

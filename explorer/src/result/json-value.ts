// JSON text → a value that keeps numbers as they were written (9007199254740993, 12.50), keys in order, and keys that come
// twice.

export type JsonValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'array'; readonly items: readonly JsonValue[] }
  | JsonObject;

export interface JsonObject {
  readonly kind: 'object';
  readonly entries: readonly (readonly [key: string, value: JsonValue])[];
}

/** undefined where the text is no JSON. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    const reader = new Reader(text);
    const value = reader.readValue();
    return reader.isAtEnd() ? value : undefined;
  } catch (error) {
    // A string's escapes, or more levels than the stack takes.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

const TOKEN =
  /\s*(?:(?<string>"[^"\\]*(?:\\.[^"\\]*)*")|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>true|false|null)|(?<mark>[[{]))/suy;
const BLANKS = /\s*/uy;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    return this.#text.slice(this.#at).trim() === '';
  }

  readValue(): JsonValue {
    const { string, number, word, mark } = this.#next();
    if (string !== undefined) return { kind: 'string', value: decodeString(string) };
    if (number !== undefined) return { kind: 'number', text: number };
    if (word === 'null') return { kind: 'null' };
    if (word !== undefined) return { kind: 'boolean', value: word === 'true' };
    if (mark === '[') return this.#readArray();
    if (mark === '{') return this.#readObject();
    throw new SyntaxError('no value');
  }

  #readArray(): JsonValue {
    const items: JsonValue[] = [];
    if (this.#take(']')) return { kind: 'array', items };
    do items.push(this.readValue());
    while (this.#take(','));
    this.#expect(']');
    return { kind: 'array', items };
  }

  #readObject(): JsonValue {
    const entries: (readonly [string, JsonValue])[] = [];
    if (this.#take('}')) return { kind: 'object', entries };
    do {
      const { string } = this.#next();
      if (string === undefined) throw new SyntaxError('no key');
      this.#expect(':');
      entries.push([decodeString(string), this.readValue()]);
    } while (this.#take(','));
    this.#expect('}');
    return { kind: 'object', entries };
  }

  #next(): Readonly<Record<string, string | undefined>> {
    TOKEN.lastIndex = this.#at;
    const match = TOKEN.exec(this.#text);
    if (match?.groups === undefined) throw new SyntaxError('no token');
    this.#at = TOKEN.lastIndex;
    return match.groups;
  }

  #take(mark: string): boolean {
    BLANKS.lastIndex = this.#at;
    BLANKS.test(this.#text);
    const isThere = this.#text[BLANKS.lastIndex] === mark;
    if (isThere) this.#at = BLANKS.lastIndex + 1;
    return isThere;
  }

  #expect(mark: string): void {
    if (!this.#take(mark)) throw new SyntaxError(`no ${mark}`);
  }
}

function decodeString(literal: string): string {
  return literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1);
}

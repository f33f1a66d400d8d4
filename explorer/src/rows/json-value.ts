// Parses JSON into values that preserve the text of numbers (9007199254740993, 12.50), the order of keys and duplicate
// keys.

export type JsonValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'array'; readonly items: readonly JsonValue[] }
  | JsonObject
  /** The text of an array or object nested too deeply to unfold. */
  | { readonly kind: 'deep'; readonly text: string };

export interface JsonObject {
  readonly kind: 'object';
  readonly entries: readonly (readonly [key: string, value: JsonValue])[];
}

/** Returns undefined if the text is invalid JSON. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    const reader = new Reader(text);
    const value = reader.readValue();
    return reader.isAtEnd() ? value : undefined;
  } catch (error) {
    // Also thrown for invalid escapes.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const TOKEN =
  /\s*(?:(?<string>"[^"\\]*(?:\\.[^"\\]*)*")|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>true|false|null)|(?<mark>[[{]))/suy;
/** Matches strings and brackets in skipped text. */
const STRING_OR_BRACKET = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/gsu;
/** Well below the depth that overflows the stack. */
const MAX_DEPTH = 200;
const BLANKS = /\s*/uy;

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

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
    if (mark === undefined) throw new SyntaxError('no value');
    if (this.#depth === MAX_DEPTH) return { kind: 'deep', text: this.#skipNested() };
    this.#depth += 1;
    const value = mark === '[' ? this.#readArray() : this.#readObject();
    this.#depth -= 1;
    return value;
  }

  /** Skips to after the closing bracket and returns the text. */
  #skipNested(): string {
    const start = this.#at - 1;
    for (let open = 1; open > 0;) {
      STRING_OR_BRACKET.lastIndex = this.#at;
      const [found] = STRING_OR_BRACKET.exec(this.#text) ?? [];
      if (found === undefined) throw new SyntaxError('no end');
      this.#at = STRING_OR_BRACKET.lastIndex;
      if (found === '[' || found === '{') open += 1;
      else if (found === ']' || found === '}') open -= 1;
    }
    return this.#text.slice(start, this.#at);
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

// Splits JSON text into the lines of its indented form, as offsets in the text. A line is extracted and highlighted
// only when shown. Short arrays of scalars stay on one line.
import { findStringEnd, skipBlanks } from '../rows/json-elements.ts';
import { NumberList } from '../rows/number-list.ts';

export interface JsonLines {
  readonly count: number;
  textAt(line: number): string;
  depthAt(line: number): number;
  /** Returns the closing line of the object or array that a line opens. */
  endOf(line: number): number | undefined;
}

export function findLines(text: string): JsonLines {
  return new LineFinder(text).find();
}

const [QUOTE, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d];
const EMPTY_OR_SHORT = /\{\s*\}|\[(?:[^[\]{}"]|"[^"\\\n]{0,40}"){0,24}\]/uy;

class LineFinder {
  readonly #text: string;
  readonly #starts = new NumberList();
  readonly #ends = new NumberList();
  readonly #depths = new NumberList();
  /** 0 for lines that open nothing. */
  readonly #closers = new NumberList();
  /** Lines of objects and arrays not closed yet. */
  readonly #open: number[] = [];
  #start = 0;

  constructor(text: string) {
    this.#text = text;
  }

  find(): JsonLines {
    for (let at = 0; at < this.#text.length; at += 1) at = this.#read(at);
    this.#endLine(this.#text.length);
    return {
      count: this.#starts.length,
      textAt: (line) => this.#text.slice(this.#starts.at(line), this.#ends.at(line)).trim(),
      depthAt: (line) => this.#depths.at(line),
      endOf: (line) => this.#closers.at(line) || undefined,
    };
  }

  /** @returns the offset of the last character read */
  #read(at: number): number {
    const code = this.#text.charCodeAt(at);
    if (code === QUOTE) return findStringEnd(this.#text, at);
    if (code === COMMA) this.#endLine(at + 1);
    else if (code === OPEN_OBJECT || code === OPEN_LIST) return this.#readOpen(at);
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) this.#readClose(at);
    return at;
  }

  #readOpen(at: number): number {
    EMPTY_OR_SHORT.lastIndex = at;
    if (EMPTY_OR_SHORT.test(this.#text)) return EMPTY_OR_SHORT.lastIndex - 1;
    this.#endLine(at + 1);
    this.#open.push(this.#starts.length - 1);
    return at;
  }

  #readClose(at: number): void {
    this.#endLine(at);
    const opener = this.#open.pop();
    if (opener !== undefined) this.#closers.set(opener, this.#starts.length);
  }

  #endLine(end: number): void {
    const start = skipBlanks(this.#text, this.#start);
    this.#start = end;
    if (start >= end) return;
    this.#starts.push(start);
    this.#ends.push(end);
    this.#depths.push(this.#open.length);
    this.#closers.push(0);
  }
}

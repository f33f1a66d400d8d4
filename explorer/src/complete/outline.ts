// Splits the list syntax of `select`, `order` and logic trees into items and parenthesized groups. Accepts incomplete
// text: an open quote or parenthesis extends to the end.

export interface OutlineItem {
  readonly from: number;
  readonly to: number;
  readonly groups: readonly OutlineGroup[];
}

/** Extends from its opening parenthesis to after its closing one. */
export interface OutlineGroup {
  readonly from: number;
  readonly to: number;
  readonly items: readonly OutlineItem[];
}

/** Returns the items between commas, up to an unmatched `)` or the end; at least one. */
export function outlineList(text: string, from = 0): readonly OutlineItem[] {
  return new OutlineReader(text, from).readList(0);
}

/** Returns the text of an item before its first parenthesis. */
export function headOf(text: string, { from, to, groups }: OutlineItem): string {
  return text.slice(from, groups[0]?.from ?? to);
}

/** Returns the item that contains the offset or ends before it. */
export function itemAt(items: readonly OutlineItem[], offset: number): OutlineItem | undefined {
  return items.find((item) => item.from <= offset && offset <= item.to);
}

/** Returns the group of an item that contains the offset. */
export function groupAt(text: string, { groups }: OutlineItem, offset: number): OutlineGroup | undefined {
  return groups.find(({ from, to }) => from < offset && (offset < to || (offset === to && text[to - 1] !== ')')));
}

/** Deeper groups are not parsed, because no request nests that deep. */
const MAX_DEPTH = 100;
const QUOTES_FOLLOW = /[,(.:!>\s]/u;

class OutlineReader {
  readonly #text: string;
  #at: number;

  constructor(text: string, from: number) {
    this.#text = text;
    this.#at = from;
  }

  readList(depth: number): readonly OutlineItem[] {
    const items = [this.#readItem(depth)];
    while (this.#text[this.#at] === ',') {
      this.#at += 1;
      items.push(this.#readItem(depth));
    }
    return items;
  }

  #readItem(depth: number): OutlineItem {
    const from = this.#at;
    const groups: OutlineGroup[] = [];
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined || character === ',' || character === ')') break;
      if (character === '(' && depth < MAX_DEPTH) groups.push(this.#readGroup(depth));
      else this.#at = skipPlain(this.#text, this.#at, from);
    }
    return { from, to: this.#at, groups };
  }

  #readGroup(depth: number): OutlineGroup {
    const from = this.#at;
    this.#at += 1;
    const items = this.readList(depth + 1);
    if (this.#text[this.#at] === ')') this.#at += 1;
    return { from, to: this.#at, items };
  }
}

/** Skips a quoted text, an array literal or one character. */
function skipPlain(text: string, at: number, from: number): number {
  if (text[at] === '"' && (at === from || QUOTES_FOLLOW.test(text[at - 1] ?? ''))) return skipQuoted(text, at);
  if (text[at] === '{') {
    const end = text.indexOf('}', at);
    return end < 0 ? text.length : end + 1;
  }
  return at + 1;
}

/** Returns the offset after the closing quote. */
export function skipQuoted(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return Math.min(end + 1, text.length);
}

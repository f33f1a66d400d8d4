// A list as `select`, `order` and logic trees have it → its items and what stands in their parentheses. It is read as far
// as it is typed: an open quote or parenthesis ends with the text. Offsets are those of the text.

export interface OutlineItem {
  readonly from: number;
  readonly to: number;
  readonly groups: readonly OutlineGroup[];
}

/** From its opening parenthesis to behind its closing one. */
export interface OutlineGroup {
  readonly from: number;
  readonly to: number;
  readonly items: readonly OutlineItem[];
}

/** Items between commas, up to an unopened `)` or the end; there is always one. */
export function outlineList(text: string, from = 0): readonly OutlineItem[] {
  return new OutlineReader(text, from).readList(0);
}

/** What stands before the first parenthesis of an item. */
export function headOf(text: string, { from, to, groups }: OutlineItem): string {
  return text.slice(from, groups[0]?.from ?? to);
}

/** The item that the offset stands in or behind. */
export function itemAt(items: readonly OutlineItem[], offset: number): OutlineItem | undefined {
  return items.find((item) => item.from <= offset && offset <= item.to);
}

/** The parentheses of an item that the offset stands between. */
export function groupAt(text: string, { groups }: OutlineItem, offset: number): OutlineGroup | undefined {
  return groups.find(({ from, to }) => from < offset && (offset < to || (offset === to && text[to - 1] !== ')')));
}

/** Beyond it nothing is opened: no request nests as deep. */
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

/** Behind a quoted text, an array literal, or one character. */
function skipPlain(text: string, at: number, from: number): number {
  if (text[at] === '"' && (at === from || QUOTES_FOLLOW.test(text[at - 1] ?? ''))) return skipQuoted(text, at);
  if (text[at] === '{') {
    const end = text.indexOf('}', at);
    return end < 0 ? text.length : end + 1;
  }
  return at + 1;
}

/** Behind the closing quote of a text that begins with one. */
export function skipQuoted(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return Math.min(end + 1, text.length);
}

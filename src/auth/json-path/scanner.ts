// A position in a text that only moves forward over what fits, for both grammars of role paths, and the names, strings
// and numbers of JSONPath (RFC 9535 §2.3, §2.5).

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

const BLANKS = /[ \t\n\r]*/uy;
const SHORTHAND_NAME = /[A-Za-z_\u{80}-\u{d7ff}\u{e000}-\u{10ffff}][0-9A-Za-z_\u{80}-\u{d7ff}\u{e000}-\u{10ffff}]*/uy;
// 15 digits: always exact in a double, and beyond any array.
const INTEGER = /0|-?[1-9][0-9]{0,14}(?![0-9])/uy;
const NUMBER = /(?:-?0|-?[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/uy;

// A UTF-16 unit that is no surrogate, or a pair of them.
const ESCAPED_UNITS = '[0-9A-CE-Fa-ce-f]HHH|[Dd][0-7]HH|[Dd][89ABab]HH\\\\u[Dd][C-Fc-f]HH'.replaceAll(
  'H',
  '[0-9A-Fa-f]',
);
const UNESCAPED_BUT_QUOTES = '[ !#-&(-[\\]-\\u{d7ff}\\u{e000}-\\u{10ffff}]';
const DOUBLE_QUOTED = quotedPattern('"', "'");
const SINGLE_QUOTED = quotedPattern("'", '"');

function quotedPattern(quote: string, otherQuote: string): RegExp {
  const escape = `\\\\(?:[bfnrt/\\\\${quote}]|u(?:${ESCAPED_UNITS}))`;
  return new RegExp(`${quote}(?:${UNESCAPED_BUT_QUOTES}|${otherQuote}|${escape})*${quote}`, 'uy');
}

export function skipBlanks(scanner: Scanner): void {
  scanner.match(BLANKS);
}

/** Returns `undefined`, as the parsers below do, if something else comes next. */
export function parseShorthandName(scanner: Scanner): string | undefined {
  return scanner.match(SHORTHAND_NAME);
}

export function parseString(scanner: Scanner): string | undefined {
  const double = scanner.match(DOUBLE_QUOTED);
  if (double !== undefined) return decodeJsonString(double);
  const single = scanner.match(SINGLE_QUOTED);
  if (single === undefined) return undefined;
  const body = single
    .slice(1, -1)
    .replaceAll(/\\.|"/gu, (part) => (part === "\\'" ? "'" : part === '"' ? '\\"' : part));
  return decodeJsonString(`"${body}"`);
}

function decodeJsonString(literal: string): string {
  return String(JSON.parse(literal));
}

/** An index or slice bound. */
export function parseInteger(scanner: Scanner): number | undefined {
  const digits = scanner.match(INTEGER);
  return digits === undefined ? undefined : Number(digits);
}

export function parseNumber(scanner: Scanner): number | undefined {
  const number = Number(scanner.match(NUMBER));
  return Number.isFinite(number) ? number : undefined;
}

// The text being parsed, the position in it, and the record of why the parser could not continue. Records are kept only
// while explaining a failure, and only near its end, so that text that parses pays nothing for them.
import type { ExtensionName } from '../../contract/extensions.ts';
import { type ErrorRecord, mergeRecords, quoteCharacter, quoteText } from './error-record.ts';
import {
  describeLimit,
  hasBracketsBeyond,
  type CountedLimit,
  type ExceededLimit,
  type LimitName,
  MAX_LIST_ELEMENTS,
  MAX_NAME_LENGTH,
  MAX_PATTERNS,
  MAX_SCORE_WORDS,
  MAX_SEARCHES,
  MAX_TRIGRAM_TEXT,
  nothingSpent,
  type QueryLimits,
  type SpentTerms,
} from './query-limits.ts';

const WORD_SEPARATOR = /[^\p{L}\p{N}]/gu;
const WORD_START_OR_MARK = /[^\p{L}\p{N}\s]|(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu;

export class Scanner {
  readonly text: string;
  readonly limits: QueryLimits;
  /** Failures from this offset on are recorded. */
  readonly explainFrom: number;
  /** Offset in UTF-16 units. If a parser fails without moving it, an alternative may be tried. */
  at = 0;
  record: ErrorRecord | undefined = undefined;
  /** The name parsed last, for `parseName`. */
  lastName: { readonly start: number; readonly end: number; readonly value: string } = NO_NAME;
  /** Number of open embeds or groups. */
  depth = 0;
  /** Number of relations that lead to the condition being parsed. */
  relatedDepth = 0;
  /** Shared with the other texts of the query string. */
  readonly spent: SpentTerms;
  /** The limit that stopped the parser. */
  exceeded: ExceededLimit | undefined = undefined;
  embeds = 0;
  selectItems = 0;
  orderTerms = 0;
  /** How many times the list being parsed occurs, because recursive embeds contain it. */
  copies = 1;
  /** Embeds may contain themselves. */
  mayRecurse = false;

  constructor(text: string, limits: QueryLimits, explainFrom: number = Number.POSITIVE_INFINITY) {
    this.text = text;
    this.limits = limits;
    this.explainFrom = explainFrom;
    this.spent = limits.spent ?? nothingSpent();
  }

  /** Tests whether an extension of the grammar is enabled. */
  allows(extension: ExtensionName): boolean {
    return this.limits.extensions?.[extension] === true;
  }

  /** Consumes text up to `position` and drops everything recorded before it. */
  advanceTo(position: number): void {
    if (position === this.at) return;
    this.at = position;
    this.record = undefined;
  }

  /** Consumes `literal`, or records that `expected` (by default, the literal itself) was expected. */
  take(literal: string, expected?: string): boolean {
    if (!this.isBefore(literal, expected)) return false;
    this.advanceTo(this.at + literal.length);
    return true;
  }

  /** Tests for `literal` without consuming it; records a failure. */
  isBefore(literal: string, expected?: string): boolean {
    if (this.text.startsWith(literal, this.at)) return true;
    if (this.at >= this.explainFrom) {
      let differing = 0;
      while (this.text[this.at + differing] === literal[differing]) differing += 1;
      this.note(this.at, {
        unexpected: describeAt(this.text, this.at + differing),
        expected: [expected ?? quoteText(literal)],
      });
    }
    return false;
  }

  /** Tests that `character` does not follow. */
  isNotBefore(character: string): boolean {
    if (!this.isBefore(character)) return true;
    if (this.at >= this.explainFrom) this.note(this.at, { explicit: quoteCharacter(character), expected: [] });
    return false;
  }

  /** Tests for the end of the text. Records success too, because an error there must list what could have followed. */
  isAtEnd(): boolean {
    const isEnd = this.at === this.text.length;
    if (this.at >= this.explainFrom) {
      const found = isEnd ? { unexpected: END } : { explicit: quoteCharacter(characterAt(this.text, this.at)) };
      this.note(this.at, { ...found, expected: [END] });
    }
    return isEnd;
  }

  /** Records what was expected at `position`. */
  expect(expected: string | undefined, position: number = this.at): void {
    if (position < this.explainFrom) return;
    this.note(position, {
      unexpected: describeAt(this.text, position),
      expected: expected === undefined ? [] : [expected],
    });
  }

  skipBlanks(): void {
    const { text } = this;
    let end = this.at;
    while (isBlank(text.charCodeAt(end))) end += 1;
    this.advanceTo(end);
  }

  /** Opens a nesting level; returns false beyond the limit. */
  enter(name: 'embedDepth' | 'logicDepth'): boolean {
    this.depth += 1;
    return this.isWithin(this.depth, Math.min(this.limits[name], MAX_NESTING), name);
  }

  /** Counts one more, in each copy; returns false beyond the limit. */
  count(name: CountedLimit): boolean {
    this[name] += this.copies;
    return this.isWithin(this[name], this.limits[name === 'orderTerms' ? 'selectItems' : name], name);
  }

  /** Counts one term of the query string; returns false beyond the limit. */
  countTerm(): boolean {
    return this.isWithin((this.spent.terms += 1), this.limits.terms, 'terms');
  }

  /** Counts what separates the words of a search as terms: PostgreSQL's time grows with the square of their number. */
  countWords(search: string): boolean {
    for (const _ of search.matchAll(WORD_SEPARATOR)) if (!this.countTerm()) return false;
    return true;
  }

  /** Counts a full-text filter and its words. */
  countSearch(search: string): boolean {
    return this.isWithin((this.spent.searches += 1), MAX_SEARCHES, 'searches') && this.countWords(search);
  }

  /** Counts the words and punctuation marks of the search that a score ranks by; a score has fewer than a filter. */
  countRankedWords(search: string): boolean {
    if (!this.countWords(search)) return false;
    let words = 0;
    for (const _ of search.matchAll(WORD_START_OR_MARK)) words += 1;
    this.spent.scoreWords = Math.max(this.spent.scoreWords, words);
    return this.isWithin(words, MAX_SCORE_WORDS, 'scoreWords');
  }

  /** Tests whether a text is short enough to compute its trigrams for each row. */
  allowsTrigrams(text: string): boolean {
    this.spent.trigramText = Math.max(this.spent.trigramText, text.length);
    return this.isWithin(text.length, MAX_TRIGRAM_TEXT, 'trigramText');
  }

  countPatterns(count: number): boolean {
    return this.isWithin((this.spent.patterns += count), MAX_PATTERNS, 'patterns');
  }

  countElement(): boolean {
    return this.isWithin((this.spent.elements += 1), MAX_LIST_ELEMENTS, 'elements');
  }

  /** Counts the elements of an array literal, or a few more if some contain commas. */
  countElements(array: string): boolean {
    const { spent } = this;
    spent.elements += 1;
    for (let at = array.indexOf(','); at >= 0 && spent.elements <= MAX_LIST_ELEMENTS; at = array.indexOf(',', at + 1))
      spent.elements += 1;
    return this.isWithin(spent.elements, MAX_LIST_ELEMENTS, 'elements');
  }

  /** Counts the text from `start` on as a name; returns false beyond the limit. */
  countName(start: number): boolean {
    return this.isWithin((this.spent.nameLength += this.at - start), MAX_NAME_LENGTH, 'nameLength');
  }

  /**
   * Goes to a related row; returns false at a depth that could exhaust the stack. The limit itself is checked for whole
   * conditions, because a name is part of a path only if an operator follows it.
   */
  enterRelated(): boolean {
    this.relatedDepth += 1;
    if (this.relatedDepth <= MAX_NESTING) return true;
    return this.isWithin(this.relatedDepth, Math.min(this.limits.embedDepth, MAX_NESTING), 'embedDepth');
  }

  /** Tests whether a path may have `count` steps. */
  allowsSteps(count: number): boolean {
    return this.isWithin(count, this.limits.pathSteps, 'pathSteps');
  }

  /** Tests whether a value has few enough brackets to rule out deep nesting. */
  allowsValue(value: string): boolean {
    const { brackets } = this.limits;
    return this.isWithin(hasBracketsBeyond(brackets, value) ? brackets + 1 : 0, brackets, 'brackets');
  }

  leave(): void {
    this.depth -= 1;
  }

  private isWithin(count: number, limit: number, name: LimitName): boolean {
    if (count > limit) this.exceeded = describeLimit(name, limit);
    return count <= limit;
  }

  private note(position: number, finding: Partial<ErrorRecord> & Pick<ErrorRecord, 'expected'>): void {
    this.record = mergeRecords(this.record, { position, unexpected: undefined, explicit: undefined, ...finding });
  }
}

/** Far below the depth at which recursion here or in later stages would exhaust the stack. */
const MAX_NESTING = 500;
const NO_NAME = { start: -1, end: -1, value: '' };
const END = 'end of input';

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

const SPACE = 0x20;
const TAB = 0x09;

function describeAt(text: string, position: number): string {
  return position < text.length ? quoteText(characterAt(text, position)) : END;
}

function characterAt(text: string, position: number): string {
  return String.fromCodePoint(text.codePointAt(position) ?? 0);
}

/**
 * Returns the position of the first character of a kind, or the length of the text.
 *
 * @param kind a global pattern of one ASCII character, which passes a long text much faster than a loop
 */
export function findFirst(text: string, from: number, kind: RegExp): number {
  kind.lastIndex = from;
  return kind.test(text) ? kind.lastIndex - 1 : text.length;
}

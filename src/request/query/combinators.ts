// Combines parsers. A parser takes the scanner and returns its value, or undefined if the text does not match.
// `parseText` runs a parser over a complete text and turns its failure into an error (`reading.md` §4).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError, ParseContext } from '../../errors/api-error.ts';
import { describeRecord, mergeRecords } from './error-record.ts';
import { nothingSpent, type QueryLimits } from './query-limits.ts';
import type { IgnoredText } from './query-params.ts';
import { Scanner } from './scanner.ts';

export type Parser<T> = (scanner: Scanner) => T | undefined;

/** What error messages call the dot between the parts of a name or condition. */
export const DELIMITER = 'delimiter (.)';

/** Runs a parser that consumes nothing when it fails, so that an alternative can be tried. */
export function attempt<T>(scanner: Scanner, parser: Parser<T>): T | undefined {
  const start = scanner.at;
  const before = scanner.record;
  const value = parser(scanner);
  if (value === undefined && scanner.at !== start) {
    scanner.at = start;
    scanner.record = mergeRecords(before, scanner.record);
  }
  return value;
}

/** Replaces what a parser expects at its start with a single name in error messages. */
export function label<T>(scanner: Scanner, name: string, parser: Parser<T>): T | undefined {
  if (scanner.explainFrom === Number.POSITIVE_INFINITY) return parser(scanner);
  const start = scanner.at;
  const before = scanner.record;
  scanner.record = undefined;
  const value = parser(scanner);
  if (scanner.at === start) {
    const own = scanner.record as Scanner['record'];
    scanner.record = mergeRecords(before, own && { ...own, expected: [name] });
  }
  return value;
}

export interface SourceText {
  readonly context: ParseContext;
  readonly text: string;
  readonly limits: QueryLimits;
  /** If undefined, text after the value is an error. */
  readonly trailing?: TrailingText | undefined;
  /** The parameter whose value the text is, if errors should name it. */
  readonly parameter?: string;
  /** Number of characters to add to reported columns. */
  readonly columnOffset?: number;
}

/** Collects ignored text after a complete value: the parameter's name and the list to add the text to. */
export interface TrailingText {
  readonly parameter: string;
  readonly ignored: IgnoredText[];
}

/** Runs a parser over a complete text. */
export function parseText<T>(source: SourceText, parser: Parser<T>): Result<T, ApiError> {
  const scanner = new Scanner(source.text, source.limits);
  const value = parseSource(source, parser, scanner);
  return value === undefined ? fail(explainFailure(source, parser, scanner)) : ok(value);
}

/** Returns the parser's value if it reaches the end of the text or the rest is ignored. */
export function parseSource<T>(source: SourceText, parser: Parser<T>, scanner: Scanner): T | undefined {
  const value = parser(scanner);
  if (value === undefined || scanner.isAtEnd()) return value;
  const { trailing, text } = source;
  if (trailing === undefined) return undefined;
  trailing.ignored.push({ parameter: trailing.parameter, text: text.slice(scanner.at) });
  return value;
}

/** Returns the parser's value if it reaches the end of the text. */
export function parseWhole<T>(scanner: Scanner, parser: Parser<T>): T | undefined {
  const value = parser(scanner);
  return value !== undefined && scanner.isAtEnd() ? value : undefined;
}

/**
 * Parses failed text again while keeping records, starting where the last text was consumed: earlier ones do not
 * matter.
 */
export function explainFailure<T>(source: SourceText, parser: Parser<T>, failed: Scanner): ApiError {
  if (failed.exceeded !== undefined) return { kind: 'limitExceeded', ...failed.exceeded, status: 400 };
  const { context, text, limits, parameter, columnOffset = 0 } = source;
  const scanner = new Scanner(text, { ...limits, spent: nothingSpent() }, failed.at);
  parseWhole(scanner, parser);
  const { record } = scanner;
  if (record === undefined) throw new Error('a parser failed without saying why');
  const column = columnOffset + countCodePoints(text, record.position) + 1;
  const quoted = text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text;
  return { kind: 'queryParse', context, text: quoted, column, details: describeRecord(record), parameter };
}

/** Characters of a text that an error quotes. Only bodies contain longer ones. */
const MAX_QUOTED_LENGTH = 100_000;

const ASTRAL = /[\u{10000}-\u{10FFFF}]/u;

function countCodePoints(text: string, end: number): number {
  let count = end;
  if (!ASTRAL.test(text)) return count;
  for (let at = 0; at < end - 1; at += 1) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    if (isPair) count -= 1;
  }
  return count;
}

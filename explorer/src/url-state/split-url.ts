// Splits a request URL into pieces with their offsets, and maps decoded characters back to the URL.

/** A piece of the URL. `text` is decoded; `from` and `to` are offsets in the URL. */
export interface UrlPiece {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface UrlParameter {
  readonly name: UrlPiece;
  /** Undefined without `=`. */
  readonly value: UrlPiece | undefined;
}

export interface UrlParts {
  readonly path: UrlPiece;
  /** Start of the query, after `?`; undefined without a query. */
  readonly queryFrom: number | undefined;
  readonly parameters: readonly UrlParameter[];
}

export function splitUrl(url: string): UrlParts {
  const mark = url.indexOf('?');
  const end = mark < 0 ? url.length : mark;
  const path: UrlPiece = { from: 0, to: end, text: url.slice(0, end) };
  if (mark < 0) return { path, queryFrom: undefined, parameters: [] };
  const parameters: UrlParameter[] = [];
  let from = mark + 1;
  for (const piece of url.slice(from).split('&')) {
    const equals = piece.indexOf('=');
    const to = from + piece.length;
    parameters.push({
      name: cutPiece(url, from, equals < 0 ? to : from + equals),
      value: equals < 0 ? undefined : cutPiece(url, from + equals + 1, to),
    });
    from = to + 1;
  }
  return { path, queryFrom: mark + 1, parameters };
}

function cutPiece(url: string, from: number, to: number): UrlPiece {
  return { from, to, text: decodeUnits(url.slice(from, to)).text };
}

/** Maps an offset in the decoded text of a piece to the URL. */
export function locateInUrl(url: string, piece: UrlPiece, offset: number): number {
  const { starts } = decodeUnits(url.slice(piece.from, piece.to));
  return piece.from + (starts[offset] ?? piece.to - piece.from);
}

/** Maps an offset in the URL to the decoded text of a piece; within an escape, to the escaped character. */
export function locateInPiece(url: string, piece: UrlPiece, at: number): number {
  const { starts, text } = decodeUnits(url.slice(piece.from, piece.to));
  if (at >= piece.to) return text.length;
  const start = starts.findLast((one) => one <= at - piece.from);
  return start === undefined ? 0 : starts.indexOf(start);
}

interface DecodedUnits {
  readonly text: string;
  /** For each UTF-16 unit of `text`, its offset in the raw text. */
  readonly starts: readonly number[];
}

const ESCAPED_CHARACTER =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}|\+/giu;

/** Decodes escapes like the server, character by character. Keeps escapes that are not UTF-8. */
function decodeUnits(raw: string): DecodedUnits {
  let text = '';
  const starts: number[] = [];
  const add = (decoded: string, at: number, step: 0 | 1): void => {
    for (let unit = 0; unit < decoded.length; unit += 1) starts.push(at + unit * step);
    text += decoded;
  };
  let done = 0;
  for (const { 0: escape, index } of raw.matchAll(ESCAPED_CHARACTER)) {
    add(raw.slice(done, index), done, 1);
    add(decodeCharacter(escape), index, escape.length > 1 && decodeCharacter(escape) === escape ? 1 : 0);
    done = index + escape.length;
  }
  add(raw.slice(done), done, 1);
  return { text, starts };
}

function decodeCharacter(escape: string): string {
  if (escape === '+') return ' ';
  try {
    return decodeURIComponent(escape);
  } catch {
    return escape;
  }
}

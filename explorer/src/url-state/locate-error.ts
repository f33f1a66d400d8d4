// Locates an error of the query parser in the URL.
import type { ApiError } from '../../../src/errors/api-error.ts';
import { locateInUrl, splitUrl, type UrlParameter, type UrlPiece } from './split-url.ts';

export interface TextRange {
  readonly from: number;
  readonly to: number;
}

interface LocatedText {
  readonly range: TextRange;
  readonly parameter: string | undefined;
}

type QueryParseError = Extract<ApiError, { kind: 'queryParse' }>;

/** Returns the range from the invalid character to the end of the text; the last character for an error at the end. */
export function locateParseError(url: string, error: ApiError): LocatedText {
  const { parameters, queryFrom } = splitUrl(url);
  const whole = { range: { from: queryFrom ?? 0, to: url.length }, parameter: undefined };
  if (error.kind !== 'queryParse') return whole;
  for (const parameter of parameters) {
    const piece = findPiece(parameter, error);
    if (piece !== undefined) return { range: locateColumn(url, piece, error), parameter: parameter.name.text };
  }
  return whole;
}

/** Returns the piece that contains the text of the error, if the parameter matches. */
function findPiece({ name, value }: UrlParameter, error: QueryParseError): UrlPiece | undefined {
  if (value === undefined) return undefined;
  const isName = error.context === 'tree path' || error.context === 'logic path';
  const piece = isName ? name : value;
  if (piece.text !== error.text) return undefined;
  return isName || mayHold(name.text, error) ? piece : undefined;
}

function mayHold(name: string, { context, parameter }: QueryParseError): boolean {
  const last = name.slice(name.lastIndexOf('.') + 1);
  if (context === 'filter') return name === parameter;
  if (context === 'order') return last === 'order';
  if (context === 'logic tree') return last === 'and' || last === 'or';
  return context === `${name} parameter`;
}

function locateColumn(url: string, piece: UrlPiece, error: QueryParseError): TextRange {
  const characters = Array.from(error.text);
  const count = Math.max(0, error.column - 1 - countBefore(url, piece, error));
  const offset = characters.slice(0, count).join('').length;
  const from = locateInUrl(url, piece, offset);
  const to = piece.to;
  if (from < to) return { from, to };
  return { from: Math.max(piece.from, locateInUrl(url, piece, Math.max(0, offset - 1))), to };
}

/** In errors about a logic tree, the operator of the parameter name counts as part of the value. */
function countBefore(url: string, piece: UrlPiece, { context }: QueryParseError): number {
  if (context !== 'logic tree') return 0;
  const name = url.slice(
    Math.max(url.lastIndexOf('&', piece.from), url.lastIndexOf('?', piece.from)) + 1,
    piece.from - 1,
  );
  const operator = name.endsWith('or') ? 'or' : 'and';
  return (/(?:^|\.)"?not"?\./u.test(name) ? 'not.' : '').length + operator.length;
}

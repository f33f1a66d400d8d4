// Finds the hint that shows the client what to write instead. Hints repeat the client's text in the form it needs in a
// URL, and only if it is short, because people read them, not programs.
import { OPERATOR_NAMES } from '../contract/operators.ts';
import type { ApiError } from './api-error.ts';

type QueryParseError = Extract<ApiError, { kind: 'queryParse' }>;

/** Maximum length of client text repeated in a hint. */
const MAX_LENGTH = 100;

/** @returns `undefined` if no hint would help */
export function findUsageHint(error: ApiError): string | undefined {
  if (error.kind === 'queryParse') return findFilterHint(error);
  if (error.kind === 'invalidBody')
    return error.place && `The JSON goes wrong at line ${error.place.line}, column ${error.place.column}`;
  if (error.kind === 'tokenInvalid' && error.isSignatureWrong)
    return 'The signature is wrong: the token was signed with another secret or key';
  return undefined;
}

function findFilterHint({ text, parameter }: QueryParseError): string | undefined {
  if (parameter === undefined || text === '' || !isShort(text, parameter)) return undefined;
  const value = addOperator(text);
  if (value === undefined) return undefined;
  const written = `write ${escapeForUrl(parameter)}=${escapeForUrl(value)}`;
  const [, word] = WORD_AS_OPERATOR.exec(text) ?? [];
  return word === undefined ? written : `${word} is not an operator. To compare with the whole text, ${written}`;
}

/** @returns `undefined` unless the value is an ORDER BY clause as written in SQL */
export function findOrderHint(parameter: string, value: string): string | undefined {
  const spelled = isShort(parameter, value) ? respellOrder(value) : undefined;
  return spelled && `write ${escapeForUrl(parameter)}=${escapeForUrl(spelled)}`;
}

function isShort(...texts: readonly string[]): boolean {
  return texts.every(({ length }) => length <= MAX_LENGTH);
}

const OPERATOR = new RegExp(String.raw`^(?:not\.)?(?:${OPERATOR_NAMES.join('|')})(?:\([^)]*\))?\.`, 'u');

/** In `greater.5`, the client takes `greater` for an operator. */
const WORD_AS_OPERATOR = /^(?:not\.)?(?!not\.)([a-z_]+)\./iu;

/** @returns `undefined` for a value that already has an operator: `details` explains what is wrong with it */
function addOperator(text: string): string | undefined {
  if (OPERATOR.test(text)) return undefined;
  return text.startsWith('not.') ? `not.eq.${text.slice('not.'.length)}` : `eq.${text}`;
}

function respellOrder(text: string): string | undefined {
  const terms = text.split(',').map((term) =>
    term
      .trim()
      .replace(/ +nulls +(first|last)$/iu, (_, place: string) => `.nulls${place.toLowerCase()}`)
      .replace(/ +(asc|desc)(?=$|\.)/iu, (_, direction: string) => `.${direction.toLowerCase()}`),
  );
  const spelled = terms.join(',');
  return spelled === text || /[\s()]/u.test(spelled) ? undefined : spelled;
}

/** Percent-encodes the characters that a query string cannot contain. */
function escapeForUrl(text: string): string {
  return text.replaceAll(/[\p{Cc}\s"#%&+<>\\^`{|}]/gu, (character) => encodeURIComponent(character));
}

// Finds the hint that spells a rejected part of a query string correctly. Hints repeat the client's text in the form it
// needs in a URL, and only if it is short, because people read them, not programs.
import { OPERATOR_NAMES } from '../contract/operators.ts';
import type { ApiError } from './api-error.ts';

type QueryParseError = Extract<ApiError, { kind: 'queryParse' }>;

/** Maximum length of client text repeated in a hint. */
const MAX_LENGTH = 100;

/** @returns `undefined` if no hint would help */
export function findQueryHint({ context, text, column, parameter, remedy }: QueryParseError): string | undefined {
  if (remedy !== undefined) return remedy;
  if (context === 'limit') return 'write limit=25, with a whole number of rows';
  if (context === 'offset') return 'write offset=25, with the whole number of rows to skip';
  if (context === 'order') return findOrderHint('order', text) ?? findQuoteHint('order', text, column);
  if (context === 'select parameter') return findClosingHint(text, column) ?? findQuoteHint('select', text, column);
  return context === 'filter' && parameter !== undefined ? findFilterHint(parameter, text) : undefined;
}

/** @returns `undefined` unless the value is an order written as in SQL or with other words */
export function findOrderHint(parameter: string, value: string): string | undefined {
  const spelled = isShort(value) ? respellOrder(value) : undefined;
  return spelled && spellParameter(parameter, spelled);
}

/** @returns undefined if it is not short */
export function spellParameter(parameter: string, value: string): string | undefined {
  return isShort(parameter, value) ? `write ${escapeForUrl(parameter)}=${escapeForUrl(value)}` : undefined;
}

/** For a `select` that ends within an embed. */
function findClosingHint(text: string, column: number): string | undefined {
  if (column <= text.length || text.includes('"') || !isShort(text)) return undefined;
  const open = text.split('(').length - text.split(')').length;
  if (open < 1) return undefined;
  return `${open === 1 ? 'A parenthesis is' : `${open} parentheses are`} missing: write select=${escapeForUrl(text)}${')'.repeat(open)}`;
}

/** A name with other characters than letters, digits, `_`, `$` and spaces. */
const SPECIAL_NAME = /^[^",()[\]:>*!]+$/u;
const SPECIAL_CHARACTER = /[^\w$ .]/u;
const DOTTED = /^[\w$]+\.[\w$]+$/u;

/** @param column where the text cannot be parsed, counted from 1 */
function findQuoteHint(parameter: 'select' | 'order', text: string, column: number): string | undefined {
  const start = Math.max(...[',', '('].map((opening) => text.lastIndexOf(opening, column - 2))) + 1;
  const [rest = ''] = /^[^,()]*/u.exec(text.slice(start)) ?? [];
  if (text[start + rest.length] === '(') return undefined;
  const name = rest.trim().replace(parameter === 'order' ? /(?:\.(?:asc|desc|nullsfirst|nullslast))+$/u : '', '');
  if (!isShort(name) || !SPECIAL_NAME.test(name)) return undefined;
  const quoted = `write ${parameter}=${escapeForUrl(`"${name}"`)}`;
  if (SPECIAL_CHARACTER.test(name)) return `A name with special characters has to be quoted: ${quoted}`;
  const [embed, inner] = name.split('.');
  if (parameter !== 'select' || !DOTTED.test(name)) return undefined;
  return `To show a column of a related row, write select=${embed}(${inner}). To quote a name with a dot, ${quoted}`;
}

function findFilterHint(parameter: string, text: string): string | undefined {
  if (text === '' || !isShort(text, parameter)) return undefined;
  if (BARE_OPERATOR.test(text)) return `${text} needs a value: write ${escapeForUrl(parameter)}=${text}.VALUE`;
  const value = addOperator(text);
  if (value === undefined) return undefined;
  const written = `write ${escapeForUrl(parameter)}=${escapeForUrl(value)}`;
  const meant = FOREIGN_PARAMETERS.find(([names]) => names.test(parameter))?.[1](text);
  if (meant !== undefined) return `${meant}. To filter by a column of that name, ${written}`;
  const [, word] = WORD_AS_OPERATOR.exec(text) ?? [];
  return word === undefined ? written : `${word} is not an operator. To compare with the whole text, ${written}`;
}

/** What parameters that other APIs have are called here. */
const FOREIGN_PARAMETERS: readonly (readonly [names: RegExp, describe: (value: string) => string])[] = [
  [/^(?:sort|sort_?by|order_?by)$/iu, (value) => `To sort, write order=${escapeForUrl(respellOrder(value) ?? value)}`],
  [/^page$/iu, () => 'To get the second page of 25 rows, write limit=25&offset=25'],
  [/^(?:per_?page|page_?size|size|top)$/iu, (value) => `To limit the rows, write limit=${wholeNumber(value)}`],
  [/^(?:skip|start)$/iu, (value) => `To skip rows, write offset=${wholeNumber(value)}`],
  [
    /^(?:fields|include|embed|expand)$/iu,
    (value) => `To choose columns and embeds, write select=${escapeForUrl(value)}`,
  ],
  [/^(?:filter|where)$/iu, () => 'To filter, write COLUMN=OPERATOR.VALUE, such as id=eq.1'],
];

function wholeNumber(text: string): string {
  return /^\d+$/u.test(text) ? text : '25';
}

function isShort(...texts: readonly string[]): boolean {
  return texts.every(({ length }) => length <= MAX_LENGTH);
}

const NAMES = OPERATOR_NAMES.join('|');
const OPERATOR = new RegExp(String.raw`^(?:not\.)?(?:${NAMES})(?:\([^)]*\))?\.`, 'u');
const BARE_OPERATOR = new RegExp(String.raw`^(?:not\.)?(?:${NAMES})$`, 'u');

/** In `greater.5`, the client takes `greater` for an operator. */
const WORD_AS_OPERATOR = /^(?:not\.)?(?!not\.)([a-z_]+)\./iu;

/** @returns `undefined` for a value that already has an operator: `details` explains what is wrong with it */
function addOperator(text: string): string | undefined {
  if (OPERATOR.test(text)) return undefined;
  return text.startsWith('not.') ? `not.eq.${text.slice('not.'.length)}` : `eq.${text}`;
}

/** @returns `undefined` for a text that cannot be spelled otherwise */
function respellOrder(text: string): string | undefined {
  const terms = text.split(',').map((term) =>
    term
      .trim()
      .replace(/ +nulls +(first|last)$/iu, (_, place: string) => `.nulls${place.toLowerCase()}`)
      .replace(/ +(asc|desc)(?=$|\.)/iu, (_, direction: string) => `.${direction.toLowerCase()}`)
      .replace(/[ .:]+(asc|desc)ending(?=$|\.)/iu, (_, direction: string) => `.${direction.toLowerCase()}`)
      .replace(/^-([\w>-]+)$/u, '$1.desc'),
  );
  const spelled = terms.join(',');
  return spelled === text || /[\s()]/u.test(spelled) ? undefined : spelled;
}

/** Percent-encodes what a query string cannot contain, except for `>`: people write `->`, and clients encode it. */
function escapeForUrl(text: string): string {
  return text.replaceAll(/[\p{Cc}\s"#%&+<\\^`{|}]/gu, (character) => encodeURIComponent(character));
}

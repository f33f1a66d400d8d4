// Finds the error in a request and its position in the URL, from the parser while typing or from the response.
import type { Exchange } from '../client/exchange.ts';
import { readServerError } from '../client/server-error.ts';
import { parseUrl } from '../url-state/parse-url.ts';
import { encodeValue } from '../url-state/readable-text.ts';

export interface RequestProblem {
  /** Undefined if the response below already shows it. */
  readonly message: string | undefined;
  readonly details: string | undefined;
  readonly hint: string | undefined;
  /** The part of the URL that contains the error. */
  readonly range: { readonly from: number; readonly to: number };
}

export function findTypedProblem(url: string, dialect: string | undefined): RequestProblem | undefined {
  const parsed = parseUrl(url, dialect);
  if (parsed.ok) return undefined;
  const { message, details, hint, from, to } = parsed.error;
  return { message, details, hint, range: { from, to } };
}

/** @returns undefined unless the response rejects this URL and its message names a part of it */
export function findAnsweredProblem(url: string, exchange: Exchange | undefined): RequestProblem | undefined {
  if (exchange?.kind !== 'answered' || exchange.response.status < 400) return undefined;
  if (exchange.request.method !== 'GET' || exchange.request.url !== url) return undefined;
  const { message, details } = readServerError(exchange.response.text);
  if (message === undefined) return undefined;
  const parsed = parseUrl(url);
  const range = parsed.ok ? findNamedPart(url, `${message} ${details ?? ''}`) : parsed.error;
  return (
    range && { message: undefined, details: undefined, hint: undefined, range: { from: range.from, to: range.to } }
  );
}

/** Names in messages: quoted, or as in `column houses.buil does not exist`. */
const NAMED = /'([^']+)'|"([^"]+)"|column (\S+) does not exist/gu;

/** Finds the first name of the message in the query, else in the path, which messages mention as well. */
function findNamedPart(url: string, message: string): { readonly from: number; readonly to: number } | undefined {
  const names = Array.from(message.matchAll(NAMED), ([, first, second, third]) => first ?? second ?? third ?? '');
  const words = names.flatMap((name) => [name, name.slice(name.lastIndexOf('.') + 1)]).flatMap(spellingsOf);
  for (const start of [url.indexOf('?') + 1 || url.length, 0])
    for (const word of words) {
      const from = findWord(url, word, start);
      if (from !== undefined) return { from, to: from + word.length };
    }
  return undefined;
}

function spellingsOf(name: string): readonly string[] {
  return [encodeValue(name), encodeURIComponent(name)];
}

function findWord(url: string, word: string, start: number): number | undefined {
  let from = word === '' ? -1 : url.indexOf(word, start);
  while (from >= 0 && (isLetter(url[from - 1]) || isLetter(url[from + word.length])))
    from = url.indexOf(word, from + 1);
  return from < 0 ? undefined : from;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\w%]/u.test(character);
}

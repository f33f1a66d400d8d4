// Corrected requests that follow from the hint of an error.
import type { ServerError } from '../client/server-error.ts';
import { parseUrl } from '../url-state/parse-url.ts';
import { encodeSegment, encodeValue } from '../url-state/readable-text.ts';

export interface Correction {
  /** What replaces the wrong part. */
  readonly label: string;
  readonly url: string;
}

/** @param url the rejected request */
export function findCorrections(url: string, { hint = '', message = '' }: ServerError): readonly Correction[] {
  return RULES.flatMap(({ pattern, correct }) => {
    const found = pattern.exec(hint)?.groups;
    return found === undefined ? [] : correct(url, { ...found, message });
  }).filter((one) => one.url !== url);
}

type Named = Readonly<Record<string, string>>;

interface Rule {
  readonly pattern: RegExp;
  readonly correct: (url: string, found: Named) => readonly Correction[];
}

/** The wordings of the server and of PostgreSQL. */
const RULES: readonly Rule[] = [
  {
    pattern: /^Perhaps you meant the table '(?:[^'.]*\.)?(?<name>.+)'$/u,
    correct: (url, { name = '' }) => [{ label: name, url: withPath(url, `/${encodeSegment(name)}`) }],
  },
  {
    pattern: /^Perhaps you meant to call the function [^.\s]+\.(?<name>[^(]+)/u,
    correct: (url, { name = '' }) => [{ label: name, url: withPath(url, `/rpc/${encodeSegment(name)}`) }],
  },
  {
    pattern: /^Perhaps you meant '(?<instead>[^']+)' instead of '(?<wrong>[^']+)'/u,
    correct: (url, { instead = '', wrong = '' }) => [{ label: instead, url: replaceName(url, wrong, instead) }],
  },
  {
    pattern: /^Try changing '(?<wrong>[^']+)' to one of the following: (?<choices>.+?)\. Find /u,
    correct: (url, { wrong = '', choices = '' }) =>
      [...choices.matchAll(/'([^']+)'/gu)].map(([, choice = '']) => ({
        label: choice,
        url: replaceName(url, wrong, choice),
      })),
  },
  {
    pattern: /^Perhaps you meant to reference the column "(?:[^"]*\.)?(?<column>[^".]+)"/u,
    correct(url, { column = '', message = '' }) {
      const [, wrong] = /^column (?:\S*\.)?"?([^\s"]+)"? does not exist/u.exec(message) ?? [];
      return wrong === undefined ? [] : [{ label: column, url: replaceName(url, wrong, column) }];
    },
  },
  {
    pattern: /^Perhaps you meant the column '(?<column>[^']+)'$/u,
    correct(url, { column = '', message = '' }) {
      const [, wrong] = /^Could not find the '([^']+)' column/u.exec(message) ?? [];
      return wrong === undefined ? [] : [{ label: column, url: replaceName(url, wrong, column) }];
    },
  },
  {
    // The other columns of the list stay.
    pattern: /\bwrite select=(?<embed>[\w$]+)\((?<inner>[\w$]+)\)\. /u,
    correct(url, { embed = '', inner = '' }) {
      const [wrong, path] = [`${embed}.${inner}`, `${embed}(${inner})`];
      return [path, `"${wrong}"`].map((name) => ({ label: name, url: replaceName(url, wrong, name) }));
    },
  },
  {
    pattern: /\bwrite (?<path>\/[^\s,]+)/u,
    correct: (url, { path = '' }) => [{ label: path, url: path.includes('?') ? path : withPath(url, path) }],
  },
  {
    // Names in capitals stand for what only the user knows.
    pattern: /^(?!To show a column ).*?\bwrite (?<name>(?!COLUMN=)[^=\s/]+)=(?<value>\S*[^\s,])(?<!VALUE)(?:,? |$)/u,
    correct: (url, { name = '', value = '' }) => [{ label: `${name}=${value}`, url: withParameter(url, name, value) }],
  },
];

function withPath(url: string, path: string): string {
  return url.replace(/^[^?]*/u, () => path);
}

/** Replaces a name wherever the query contains it as a whole word. */
function replaceName(url: string, wrong: string, name: string): string {
  const [path = '', ...query] = url.split('?');
  const spelled = encodeValue(wrong).replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`);
  const word = new RegExp(String.raw`(?<![\p{L}\w%])${spelled}(?![\p{L}\w%])`, 'gu');
  return [path, ...(query.length === 0 ? [] : [query.join('?').replace(word, () => encodeValue(name))])].join('?');
}

/** Replaces the value that the corrected one completes, or else the parameter that could not be parsed. */
function withParameter(url: string, name: string, value: string): string {
  const [path = '', ...query] = url.split('?');
  const parameters = query.join('?').split('&');
  const isOf = (one: string, other: string): boolean => one.startsWith(`${other}=`);
  const parsed = parseUrl(url);
  const failed = parsed.ok ? undefined : parsed.error.parameter;
  const wrong =
    parameters.find((one) => isOf(one, name) && value.endsWith(`.${one.slice(name.length + 1)}`)) ??
    parameters.find((one) => isOf(one, name)) ??
    parameters.find((one) => failed !== undefined && isOf(one, failed));
  return `${path}?${parameters.map((one) => (one === wrong ? `${name}=${value}` : one)).join('&')}`;
}

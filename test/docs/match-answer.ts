// Compares expected output of a page with actual output. `…` matches anything: any text; in JSON, as a string any
// value, as the last element or member any further ones, within a string any characters.
import { STATUS_CODES } from 'node:http';
import type { Answer } from '../support/local-server.ts';

const ANY = '…';

/**
 * JSON that begins like PostgreSQL's is what curl prints, apart from blanks at the ends of lines; other JSON is formatted
 * for reading.
 *
 * @returns the difference, or `undefined` if there is none
 */
export function matchJson(expected: string, actual: string): string | undefined {
  if (expected.startsWith('[{"')) return matchText(expected, actual.replaceAll(/ +$/gmu, ''));
  try {
    return matchValue(parse(expected), parse(actual), '$');
  } catch {
    return `no JSON: ${actual}`;
  }
}

export function matchText(expected: string, actual: string): string | undefined {
  const pattern = expected.trim().split(ANY).map(escapeRegExp).join('[\\s\\S]*?');
  return new RegExp(`^${pattern}$`, 'u').test(actual.replaceAll('\r\n', '\n').trim()) ? undefined : `it is ${actual}`;
}

/** Compares the status line, the headers that the page shows, and the body if the page shows one. */
export function matchHttp(expected: string, answer: Answer): string | undefined {
  const [head = '', ...rest] = expected.split(/\n\n/u);
  const [statusLine = '', ...headers] = head.trim().split('\n');
  const actual = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`.trim();
  if (statusLine !== actual) return `${actual}\n${answer.text}`;
  for (const line of headers) {
    const [, name = '', value = ''] = /^([\w-]+): *(.*)$/u.exec(line) ?? [];
    const sent = [answer.headers[name.toLowerCase()] ?? []].flat().join(', ');
    if (matchText(value, sent) !== undefined) return `${name}: ${sent}`;
  }
  const body = rest.join('\n\n').trim();
  if (body === '') return undefined;
  return /\bjson/u.test(answer.headers['content-type'] ?? '')
    ? matchJson(body, answer.text)
    : matchText(body, answer.text);
}

/** Keeps numbers as they are written: 129.00 differs from 129. */
function parse(json: string): unknown {
  const spelled = json.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gu, (token) =>
    token.startsWith('"') ? token : `"number ${token}"`,
  );
  return JSON.parse(spelled);
}

function matchValue(expected: unknown, actual: unknown, path: string): string | undefined {
  if (expected === ANY) return undefined;
  if (typeof expected === 'string' && typeof actual === 'string' && matchText(expected, actual) === undefined) return;
  if (!isTree(expected) || !isTree(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    return expected === actual ? undefined : `${path} is ${print(actual)}`;
  }
  const members = Object.entries(expected);
  const isOpen = members.at(-1)?.[1] === ANY && (Array.isArray(expected) || members.at(-1)?.[0] === ANY);
  const stated = isOpen ? members.slice(0, -1) : members;
  const present = Object.entries(actual);
  if (present.length < stated.length || (!isOpen && present.length > stated.length))
    return `${path} is ${print(actual)}`;
  for (const [index, [key, value]] of stated.entries()) {
    const [name, found] = present[index] ?? [];
    const difference = name === key ? matchValue(value, found, `${path}.${key}`) : `${path} has ${name}, not ${key}`;
    if (difference !== undefined) return difference;
  }
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function print(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"number ([^"]*)"/gu, '$1');
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}/]/gu, String.raw`\$&`);
}

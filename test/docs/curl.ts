// Sends the request of a `curl` command and returns the response. Supports only the options that the pages use.
import { sendRequest, type Answer } from '../support/local-server.ts';

interface CurlOptions {
  readonly method: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly data: readonly string[];
  readonly url: string;
  readonly flags: ReadonlySet<string>;
  /** Header of the response that is printed instead of the body. */
  readonly printed: string | undefined;
}

const LETTERS: Readonly<Record<string, string>> = {
  '-H': '--header',
  '-d': '--data',
  '-X': '--request',
  '-G': '--get',
  '-I': '--head',
  '-i': '--include',
  '-g': '--globoff',
  '-s': '--silent',
  '-o': '--output',
  '-w': '--write-out',
};
const WITH_VALUE = new Set([
  '--header',
  '--data',
  '--data-binary',
  '--data-urlencode',
  '--request',
  '--output',
  '--write-out',
]);
const PLAIN = new Set(['--get', '--head', '--include', '--globoff', '--silent']);

/**
 * @param locate maps a host such as `localhost:3000` to the port of the server; @param readFile reads the file of
 * `--data-binary @file`
 */
export async function runCurl(
  words: readonly string[],
  locate: (host: string) => number,
  readFile: (name: string) => string,
): Promise<Answer> {
  const options = readOptions(words, readFile);
  const { host, target } = splitUrl(options);
  const { body, query } = placeData(options);
  const method = options.method ?? (options.flags.has('--head') ? 'HEAD' : body === undefined ? 'GET' : 'POST');
  const form = body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' };
  const headers = { Host: host, Accept: '*/*', ...form, ...options.headers };
  const path = query === undefined ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`;
  const place = { host: '127.0.0.1', port: locate(host), path };
  const answer = await sendRequest(place, { method, headers, ...(body !== undefined && { body }) });
  const { printed } = options;
  return printed === undefined ? answer : { ...answer, text: String(answer.headers[printed]) };
}

function readOptions(words: readonly string[], readFile: (name: string) => string): CurlOptions {
  const rest = [...words];
  const flags = new Set<string>();
  const headers: Record<string, string> = {};
  const data: string[] = [];
  let method: string | undefined;
  let printed: string | undefined;
  let url = '';
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const flag = LETTERS[word] ?? word;
    const value = WITH_VALUE.has(flag) ? (rest.shift() ?? '') : '';
    if (flag === '--header') Object.assign(headers, readHeader(value));
    else if (flag === '--request') method = value;
    else if (flag === '--output' && value === '/dev/null') continue;
    else if (flag === '--write-out') printed = /^%header\{(.+)\}$/u.exec(value)?.[1];
    else if (flag === '--data-urlencode') data.push(value.replace(/(?<==).*/su, (text) => encodeURIComponent(text)));
    else if (flag === '--data-binary' && value.startsWith('@')) data.push(readFile(value.slice(1)));
    else if (WITH_VALUE.has(flag)) data.push(value);
    else if (PLAIN.has(flag)) flags.add(flag);
    else if (flag.startsWith('-') || url !== '')
      throw new Error(`the test does not support this argument of curl: ${word}`);
    else url = word;
  }
  return { method, headers, data, url, flags, printed };
}

function readHeader(text: string): Readonly<Record<string, string>> {
  const [, name, value = ''] = /^([\w-]+): *(.*)$/u.exec(text) ?? [];
  if (name === undefined) throw new Error(`not a header: ${text}`);
  const spelled = name.toLowerCase() === 'content-type' ? 'Content-Type' : name;
  return { [spelled.toLowerCase() === 'accept' ? 'Accept' : spelled]: value };
}

function splitUrl({ url, flags }: CurlOptions): { readonly host: string; readonly target: string } {
  const [, host, target = '/'] = /^(?:http:\/\/)?([^/?]+)(.*)$/u.exec(url) ?? [];
  if (host === undefined) throw new Error('curl without a URL');
  if (/[^!-~]/u.test(url)) throw new Error(`curl rejects the URL, encode it: ${url}`);
  if (/[[\]{}]/u.test(url) && !flags.has('--globoff')) throw new Error(`curl -g is needed for ${url}`);
  return { host, target: target.startsWith('/') ? target : `/${target}` };
}

function placeData({ data, flags }: CurlOptions): { readonly body?: string; readonly query?: string } {
  if (data.length === 0) return {};
  const joined = data.join('&');
  return flags.has('--get') ? { query: joined } : { body: joined };
}

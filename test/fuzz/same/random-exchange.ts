// Generates groups of requests for one connection: those of the other generators, with tokens, conditions, further
// methods, formats and encodings of HTTP. Some shapes are sent several times with other values.
import { gzipSync } from 'node:zlib';
import { token } from '../../auth/sign-token.ts';
import { toPostgrestNames } from '../../conformance/dialect-names.ts';
import type { Random } from '../../support/generate/random.ts';
import { breakText } from '../../support/generate/random-request.ts';
import type { SchemaModel } from '../../support/generate/schema-model.ts';
import type { Question } from '../../support/http-client.ts';
import { headerOf, type RawAnswer, type RawRequest } from './pipeline.ts';

export interface Exchange extends Question {
  readonly framing: 'length' | 'chunks';
}

const TOKENS = [
  ...['web_user', 'web_anon', 'web_iso'].map((role) => token({ role })),
  token({ role: 'web_user', sub: 'größe', list: [1, { a: null }], exp: 9_999_999_999 }),
  token({ sub: 'nobody' }),
];
const BAD_TOKENS = [
  token({ role: 'postgres' }),
  token({ role: 'web_user', exp: 1 }),
  token({ role: 'web_user', nbf: 9_999_999_999 }),
  token({ role: 'web_user', aud: 'x' }),
  token({ role: 5 }),
  `${token({ role: 'web_user' })}x`,
  token('[1]'),
  'a.b.c',
  'x',
  '',
];
const FORMATS = [
  'application/x-ndjson',
  'application/x-ndjson',
  'text/csv',
  'application/json',
  'application/vnd.svc.object+json',
  'application/octet-stream',
  'text/plain;q=0.5, application/json;q=0.1',
  'application/json;q=0',
  'nosuch/*',
];
const PREFERENCES = [
  'nested=write',
  'paging=cursor',
  'count=exact',
  'max-affected=1, handling=strict',
  'return=representation',
];
const PATHS = ['/', '/nosuch', '/rpc/nosuch', '/rpc/', '//', '/parts/1', '/%00', '/a%2Fb', '/%zz', '*', '/rpc'];
const METHODS = ['TRACE', 'PURGE', 'OPTIONS', 'HEAD', 'QUERY', 'DELETE', 'PUT', 'PATCH', 'POST', 'GET'];
/** Stands for a tag or link that the server itself sent earlier. */
const [EARLIER_TAG, EARLIER_LINK] = ['@tag', '@link'];
const TAGS = ['*', EARLIER_TAG, EARLIER_TAG, `W/"x", ${EARLIER_TAG}`, '"x"', 'x', '"1.2.3.4-5"'];

export class ExchangeMaker {
  readonly #make: (random: Random) => Question;
  readonly #schema: SchemaModel;
  readonly #rename: (text: string) => string;

  /** @param make the generator that gives methods, URLs and bodies */
  constructor(make: (random: Random) => Question, schema: SchemaModel, dialect: unknown) {
    this.#make = make;
    this.#schema = schema;
    this.#rename = dialect === 'postgrest' ? toPostgrestNames : (text) => text;
  }

  /** Returns what is sent in one write. */
  makeGroup(random: Random): readonly Exchange[] {
    const first = this.#decorate(random, this.#make(random));
    const others = random.chance(0.5) ? random.list(1, 12, () => this.#decorate(random, this.#make(random))) : [];
    const repeated = random.chance(0.5) ? random.list(1, 4, () => withOtherValues(random, first)) : [];
    return [first, ...repeated, ...others].map((exchange) => this.#translate(exchange));
  }

  #decorate(random: Random, question: Question): Exchange {
    const nested = question.method === 'POST' && random.chance(0.15) ? this.#nest(random, question) : question;
    const changed = random.chance(0.15) ? changeMethod(random, nested) : nested;
    const headers = { ...changed.headers, ...furtherHeaders(random) };
    const exchange = { ...changed, headers, framing: random.chance(0.1) ? ('chunks' as const) : ('length' as const) };
    return exchange.body !== undefined && random.chance(0.03) ? compress(random, exchange) : exchange;
  }

  /** Adds related rows to an object. */
  #nest(random: Random, question: Question): Question {
    const { url, body } = question;
    const relation = this.#schema.get(decodeURIComponent(/^\/([^?]*)/u.exec(url)?.[1] ?? ''));
    if (relation === undefined || relation.embeds.length === 0 || typeof body !== 'string') return question;
    const { target, isToOne } = random.pick(relation.embeds);
    const row = `{"id":${random.roll(200)}}`;
    const rows = isToOne ? row : `[${random.list(0, 3, () => row).join()}]`;
    const end = body.startsWith('{}') ? '' : ',';
    const prefer = [question.headers['Prefer'], 'nested=write'].filter(Boolean).join(', ');
    const headers = { ...question.headers, Prefer: prefer };
    return { ...question, headers, body: body.replace('{', `{${JSON.stringify(target)}:${rows}${end}`) };
  }

  #translate(exchange: Exchange): Exchange {
    const { url, headers, body } = exchange;
    const renamed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, this.#rename(value)]));
    return {
      ...exchange,
      url: this.#rename(url),
      headers: renamed,
      body: typeof body === 'string' ? this.#rename(body) : body,
    };
  }
}

function changeMethod(random: Random, question: Question): Question {
  const { method, url, headers } = question;
  const kind = random.roll(8);
  if (kind === 0) return { ...question, method: random.pick(METHODS) };
  if (kind === 1) return { ...question, url: random.pick(PATHS) };
  if (kind === 2) return { method: 'GET', url: EARLIER_LINK, headers };
  if (kind === 3) return { method: 'OPTIONS', url, headers: {} };
  if (method !== 'GET') return kind === 4 ? { method: 'GET', url, headers } : question;
  const [path = '', query = ''] = url.split(/\?(.*)/su);
  const form = 'application/x-www-form-urlencoded';
  if (kind < 7) return { method: 'QUERY', url: path, headers: { ...headers, 'Content-Type': form }, body: query };
  const isOwn = { ...headers, 'Content-Type': 'application/vnd.svc.query' };
  return { method: 'POST', url: path, headers: isOwn, body: query };
}

function furtherHeaders(random: Random): Record<string, string> {
  const headers: Record<string, string> = {};
  if (random.chance(0.25)) headers['Authorization'] = `Bearer ${random.pick(TOKENS)}`;
  if (random.chance(0.03))
    headers['authorization'] = `${random.pick(['Bearer', 'bearer', 'Basic'])} ${random.pick(BAD_TOKENS)}`;
  if (random.chance(0.06)) headers['Accept'] = random.pick(FORMATS);
  if (random.chance(0.08)) headers['If-None-Match'] = random.pick(TAGS);
  if (random.chance(0.04)) headers['If-Match'] = random.pick(TAGS);
  if (random.chance(0.04)) headers['Prefer'] = random.pick(PREFERENCES);
  if (random.chance(0.04)) headers['Origin'] = random.pick(['http://a.example', 'null']);
  if (random.chance(0.02)) headers['Access-Control-Request-Method'] = 'POST';
  if (random.chance(0.02)) headers['Access-Control-Request-Headers'] = 'x-a, x-b';
  if (random.chance(0.02)) headers['Accept-Profile'] = random.pick(['api', 'labs', 'nosuch']);
  if (random.chance(0.02)) headers['Content-Profile'] = random.pick(['api', 'labs', 'nosuch']);
  if (random.chance(0.02)) headers['Accept-Encoding'] = 'gzip';
  if (random.chance(0.03)) headers['Cookie'] = random.pick(['a=1; b="x"', 'a=1; a=2', '=', 'ü']);
  if (random.chance(0.02)) headers['X-Mark'] = random.pick(['m', 'größe', '']);
  if (random.chance(0.01)) headers['X-Block'] = '1';
  if (random.chance(0.01)) headers['X-Status'] = random.pick(['299', '404', 'x', '99']);
  if (random.chance(0.01)) headers['traceparent'] = '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01';
  return headers;
}

function compress(random: Random, exchange: Exchange): Exchange {
  const bytes = gzipSync(Buffer.from(exchange.body ?? ''));
  const encoding = random.pick(['gzip', 'gzip', 'br', 'identity']);
  return { ...exchange, headers: { ...exchange.headers, 'Content-Encoding': encoding }, body: bytes };
}

/** Changes digits behind an operator or in a body, so that the plan of the first request serves, too. */
function withOtherValues(random: Random, exchange: Exchange): Exchange {
  const change = (text: string): string =>
    text.replaceAll(/(?<=[.:(,=]|%22)\d(?=[,&)}"]|$|%22)/gu, () => String(random.roll(10)));
  const { url, body } = exchange;
  const changed = { ...exchange, url: change(url), body: typeof body === 'string' ? change(body) : body };
  return random.chance(0.05)
    ? { ...changed, url: breakText(random, changed.url).replaceAll(/[^\x21-\x7e]/gu, '') }
    : changed;
}

/** What one of the servers sent earlier, which later requests to the same server repeat. */
export class Memory {
  #tag = '"none"';
  #link = '/nosuch';

  keep(answer: RawAnswer | undefined): void {
    this.#tag = headerOf(answer, 'etag') ?? this.#tag;
    const link = /<([^>]*)>; rel="?next/u.exec(headerOf(answer, 'link') ?? '')?.[1] ?? headerOf(answer, 'location');
    if (link?.startsWith('/')) this.#link = link;
  }

  render({ method, url, headers, body, framing }: Exchange): RawRequest {
    const lines = Object.entries(headers).map(
      ([name, value]) => `${name}: ${value.replace(EARLIER_TAG, this.#tag)}\r\n`,
    );
    const path = url === EARLIER_LINK ? this.#link : url;
    const head = `${method} ${path} HTTP/1.1\r\nHost: same\r\n${lines.join('')}`;
    return { method, bytes: Buffer.concat([Buffer.from(head, 'latin1'), renderBody(body, framing)]) };
  }
}

function renderBody(body: Exchange['body'], framing: Exchange['framing']): Buffer {
  if (body === undefined) return Buffer.from('\r\n');
  const bytes = Buffer.from(body);
  if (framing === 'length') return Buffer.concat([Buffer.from(`Content-Length: ${bytes.length}\r\n\r\n`), bytes]);
  const half = bytes.length >> 1;
  const chunks = [bytes.subarray(0, half), bytes.subarray(half)].filter(({ length }) => length > 0);
  const framed = chunks.flatMap((chunk) => [
    Buffer.from(`${chunk.length.toString(16)}\r\n`),
    chunk,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([Buffer.from('Transfer-Encoding: chunked\r\n\r\n'), ...framed, Buffer.from('0\r\n\r\n')]);
}

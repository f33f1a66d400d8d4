// The benchmark cases: one request each, in which only a key changes from one request to the next.
import { ROLE } from './servers/bench-database.ts';
import { signToken } from '../../tools/token/issue-token.ts';

export interface BenchCase {
  readonly name: string;
  readonly method: string;
  /** `{key}` is replaced with a number from 1 to `keys`. */
  readonly target: string;
  readonly keys: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly status: number;
  /** SQL to run before each measurement, so that all rounds start from the same state. */
  readonly preparation: string | undefined;
  /** A request that replaces every hundredth one; only the latencies of the others count. */
  readonly slowTarget: string | undefined;
  /** The same request for the hand-written endpoint, if it supports the case. */
  readonly handwrittenTarget: string | undefined;
}

export const JWT_SECRET = 'a secret of the benchmark, long enough';

/** Headers of every request, like those of a plain client. */
export const CLIENT_HEADERS = { Host: '127.0.0.1', 'User-Agent': 'rowhouse-bench', Accept: '*/*' };
const WRITE_HEADERS = { ...CLIENT_HEADERS, Prefer: 'return=minimal', 'Content-Type': 'application/json' };
const PLAIN = { keys: 1, preparation: undefined, slowTarget: undefined, handwrittenTarget: undefined };
const READ = { ...PLAIN, method: 'GET', headers: CLIENT_HEADERS, body: undefined, status: 200 };
const ROW_BY_KEY = { ...READ, target: '/track?track_id=eq.{key}', keys: 3000 };
const WRITTEN_ROW = '{"name":"Ragtime","amount":25}';

export const CASES: readonly BenchCase[] = [
  { ...ROW_BY_KEY, name: 'row by key', handwrittenTarget: '/track/{key}' },
  {
    ...ROW_BY_KEY,
    name: 'row with token',
    headers: { ...CLIENT_HEADERS, Authorization: `Bearer ${signToken({ role: ROLE, sub: 'ann' }, JWT_SECRET)}` },
  },
  { ...ROW_BY_KEY, name: '1 % slow reads', slowTarget: '/bench_slow' },
  {
    ...READ,
    name: 'page with count',
    target: '/track?track_id=gt.{key}&order=track_id&limit=25',
    keys: 3000,
    headers: { ...CLIENT_HEADERS, Prefer: 'count=exact' },
    status: 206,
  },
  {
    ...READ,
    name: 'embeds',
    target: '/album?select=title,artist(name),track(track_id,name)&album_id=eq.{key}',
    keys: 300,
    handwrittenTarget: '/album/{key}',
  },
  {
    ...PLAIN,
    name: 'insert',
    method: 'POST',
    target: '/bench_inserted',
    headers: WRITE_HEADERS,
    body: WRITTEN_ROW,
    status: 201,
    preparation: 'TRUNCATE bench_inserted',
  },
  {
    ...PLAIN,
    name: 'update',
    method: 'PATCH',
    target: '/bench_updated?id=eq.{key}',
    keys: 1000,
    headers: WRITE_HEADERS,
    body: WRITTEN_ROW,
    status: 204,
    preparation: 'VACUUM bench_updated',
  },
  {
    ...PLAIN,
    name: 'function',
    method: 'POST',
    target: '/rpc/bench_sum',
    headers: { ...CLIENT_HEADERS, 'Content-Type': 'application/json' },
    body: '{"a":19,"b":23}',
    status: 200,
  },
  { ...READ, name: 'root', target: '/', headers: { ...CLIENT_HEADERS, Accept: 'application/openapi+json' } },
  { ...READ, name: '100 rows', target: '/track?order=track_id&limit=100' },
  { ...READ, name: '300 rows', target: '/track?order=track_id&limit=300' },
  { ...READ, name: '1,000 rows', target: '/track?order=track_id&limit=1000' },
  { ...READ, name: '3,503 rows', target: '/track' },
  { ...READ, name: '1 MB body', target: '/bench_text?select=content' },
];

const LARGE = { ...READ, headers: asAccount(1) };

/** Cases of the large table (`servers/large-data.ts`), which need at least a million rows. */
export const LARGE_CASES: readonly BenchCase[] = [
  { ...LARGE, name: 'large: row by key', target: '/bench_event?id=eq.{key}', keys: 100_000 },
  { ...LARGE, name: 'large: newest of a busy account', target: '/bench_event?order=at.desc&limit=25' },
  {
    ...LARGE,
    name: 'large: newest of a small account',
    target: '/bench_event?order=at.desc&limit=25',
    headers: asAccount(5000),
  },
  {
    ...LARGE,
    name: 'large: page with planned count',
    target: '/bench_event?id=gt.{key}&order=id&limit=25',
    keys: 90_000,
    headers: { ...asAccount(1), Prefer: 'count=planned' },
    status: 206,
  },
];

function asAccount(account: number): Readonly<Record<string, string>> {
  return { ...CLIENT_HEADERS, Authorization: `Bearer ${signToken({ role: ROLE, account }, JWT_SECRET)}` };
}

const MAX_REQUESTS = 500;

/**
 * Renders the case's requests in wire format, with keys spread over the whole range. @param target overrides the target
 */
export function renderRequests(bench: BenchCase, target: string = bench.target): readonly string[] {
  const count = Math.min(bench.keys, MAX_REQUESTS);
  return Array.from({ length: count }, (_, index) => {
    const key = 1 + Math.floor((index * bench.keys) / count);
    return renderRequest(bench, fillTarget(target, key));
  });
}

export function renderRequest({ method, headers, body }: BenchCase, target: string): string {
  const length = body === undefined ? {} : { 'Content-Length': String(body.length) };
  const lines = Object.entries({ ...headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}

export function fillTarget(target: string, key: number): string {
  return target.replace('{key}', String(key));
}

/** Returns false for cases that request a description of the schema. */
export function asksForRows({ target }: BenchCase): boolean {
  return target !== '/';
}

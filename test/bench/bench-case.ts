// What is measured: one request per case, of which only a key differs from one to the next.

export interface BenchCase {
  readonly name: string;
  readonly method: string;
  /** `{key}` stands for a number from 1 to `keys`. */
  readonly target: string;
  readonly keys: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly status: number;
  /** SQL to run before each measurement, so that all rounds find the same. */
  readonly preparation: string | undefined;
}

/** In every request, as a plain client sends them. */
const CLIENT_HEADERS = { Host: '127.0.0.1', 'User-Agent': 'rowhouse-bench', Accept: '*/*' };
const WRITE_HEADERS = { ...CLIENT_HEADERS, Prefer: 'return=minimal', 'Content-Type': 'application/json' };
const READ = { method: 'GET', keys: 1, headers: CLIENT_HEADERS, body: undefined, status: 200, preparation: undefined };

export const CASES: readonly BenchCase[] = [
  { ...READ, name: 'row by key', target: '/track?track_id=eq.{key}', keys: 3000 },
  { ...READ, name: 'page of 25', target: '/track?track_id=gt.{key}&order=track_id&limit=25', keys: 3000 },
  {
    ...READ,
    name: 'embeds',
    target: '/album?select=title,artist(name),track(track_id,name)&album_id=eq.{key}',
    keys: 300,
  },
  {
    name: 'insert',
    method: 'POST',
    target: '/bench_inserted',
    keys: 1,
    headers: WRITE_HEADERS,
    body: '{"name":"Ragtime","amount":25}',
    status: 201,
    preparation: 'TRUNCATE bench_inserted',
  },
  {
    name: 'update',
    method: 'PATCH',
    target: '/bench_updated?id=eq.{key}',
    keys: 1000,
    headers: WRITE_HEADERS,
    body: '{"name":"Ragtime","amount":25}',
    status: 204,
    preparation: 'VACUUM bench_updated',
  },
  {
    name: 'function',
    method: 'POST',
    target: '/rpc/bench_sum',
    keys: 1,
    headers: { ...CLIENT_HEADERS, 'Content-Type': 'application/json' },
    body: '{"a":19,"b":23}',
    status: 200,
    preparation: undefined,
  },
  { ...READ, name: '1 MB body', target: '/bench_text?select=content' },
];

const MOST_REQUESTS = 500;

/** The case's requests as they go over the wire, keys spread over their whole range. */
export function renderRequests(bench: BenchCase): readonly string[] {
  const count = Math.min(bench.keys, MOST_REQUESTS);
  return Array.from({ length: count }, (_, index) => {
    const key = 1 + Math.floor((index * bench.keys) / count);
    const length = bench.body === undefined ? {} : { 'Content-Length': String(bench.body.length) };
    const lines = Object.entries({ ...bench.headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${bench.method} ${targetOf(bench, key)} HTTP/1.1\r\n${lines.join('')}\r\n${bench.body ?? ''}`;
  });
}

export function targetOf({ target }: BenchCase, key: number): string {
  return target.replace('{key}', String(key));
}

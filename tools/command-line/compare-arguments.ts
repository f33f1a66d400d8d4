// Reads the arguments of `compare`: the two servers, where the requests come from, and how to send them.
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { CommandOf, RequestSource } from './command.ts';
import type { Flag } from './flags.ts';
import type { Arguments } from './arguments.ts';

const SOURCES = ['requests', 'har', 'log'] as const;
const DEFAULT_CONCURRENCY = 4;
const DEFAULT_TIMEOUT_SECONDS = 30;

export const COMPARE_FLAGS: readonly Flag[] = [
  {
    name: 'requests',
    value: 'FILE',
    doc: 'Requests to send, one per line (GET /films?id=eq.1), or separated by ### with headers and bodies',
  },
  { name: 'har', value: 'FILE', doc: 'Send the requests of a HAR file, as saved by a browser' },
  {
    name: 'log',
    value: 'FILE',
    doc: "Send the requests of an access log: PostgREST's, this server's, nginx's or any in common log format",
  },
  { name: 'recorded-at', value: 'URL', doc: 'URL of the API when the file was recorded (default: OLD_URL)' },
  { name: 'token', value: 'TOKEN', doc: 'Token for requests without one; @FILE reads it from a file' },
  {
    name: 'writes',
    doc: 'Send changes too, with Prefer: tx=rollback; needs db-tx-end = commit-allow-override on both servers',
  },
  { name: 'concurrency', value: 'NUMBER', doc: `Requests in flight (default: ${DEFAULT_CONCURRENCY})` },
  {
    name: 'timeout',
    value: 'SECONDS',
    doc: `How long to wait for each response (default: ${DEFAULT_TIMEOUT_SECONDS})`,
  },
  { name: 'allow-known', doc: 'Exit with 0 if every difference is a known departure' },
  { name: 'json', doc: 'Report as JSON' },
];

export function readCompareArguments({ operands, values, switches }: Arguments): Result<CommandOf<'compare'>, string> {
  const [oldUrl, newUrl, ...others] = operands.map(readUrl);
  if (oldUrl === undefined || newUrl === undefined || others.length > 0)
    return fail('compare requires the URL of each server, such as http://localhost:3000 and http://localhost:3001');
  const source = readSource(values);
  if (!source.ok) return source;
  const recordedAt = readUrl(values.get('recorded-at')?.at(-1) ?? oldUrl.href);
  if (recordedAt === undefined) return fail('--recorded-at requires a URL: --recorded-at=https://api.example.com');
  const concurrency = readNumber(values.get('concurrency')?.at(-1), DEFAULT_CONCURRENCY);
  const timeout = readNumber(values.get('timeout')?.at(-1), DEFAULT_TIMEOUT_SECONDS);
  if (concurrency === undefined) return fail('--concurrency requires a number from 1 to 999');
  if (timeout === undefined) return fail('--timeout requires a number of seconds from 1 to 999');
  return ok({
    kind: 'compare',
    oldUrl,
    newUrl,
    source: source.value,
    recordedAt,
    token: values.get('token')?.at(-1),
    hasWrites: switches.has('writes'),
    concurrency,
    timeoutMs: timeout * 1000,
    areKnownAllowed: switches.has('allow-known'),
    isJson: switches.has('json'),
  });
}

function readUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/u.test(url.protocol) ? url : undefined;
}

function readSource(values: Arguments['values']): Result<RequestSource, string> {
  const given = SOURCES.flatMap((kind) => (values.get(kind) ?? []).map((file) => ({ kind, file })));
  if (given.length > 1) return fail('Specify only one of --requests, --har and --log');
  return ok(given[0] ?? { kind: 'description' });
}

/** Returns undefined for anything but a number from 1 to 999. */
function readNumber(text: string | undefined, byDefault: number): number | undefined {
  if (text === undefined) return byDefault;
  return /^[1-9]\d{0,2}$/u.test(text) ? Number(text) : undefined;
}

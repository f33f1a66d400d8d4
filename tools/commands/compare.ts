import { fail, ok } from '../../src/contract/result.ts';
import { type Command, defineCommand } from '../command-line/command.ts';

const SOURCES = ['requests', 'har', 'log'] as const;
const DEFAULT_CONCURRENCY = 4;
const DEFAULT_TIMEOUT_SECONDS = 30;

export const compare: Command = defineCommand({
  name: 'compare',
  operands: 'OLD_URL NEW_URL',
  doc: 'Send the same requests to two servers and report how the responses differ, to prove a migration; exits with 0 if they are the same, 1 if they differ, 2 if the comparison could not run',
  flags: {
    '--requests FILE':
      'Requests to send, one per line (GET /films?id=eq.1), or separated by ### with headers and bodies',
    '--har FILE': 'Send the requests of a HAR file, as saved by a browser',
    '--log FILE': "Send the requests of an access log: PostgREST's, this server's, nginx's or any in common log format",
    '--recorded-at URL': 'URL of the API when the file was recorded (default: OLD_URL)',
    '--token TOKEN': 'Token for requests without one; @FILE reads it from a file',
    '--writes': 'Send changes too, with Prefer: tx=rollback; needs db-tx-end = commit-allow-override on both servers',
    '--concurrency NUMBER': `Requests in flight (default: ${DEFAULT_CONCURRENCY})`,
    '--timeout SECONDS': `How long to wait for each response (default: ${DEFAULT_TIMEOUT_SECONDS})`,
    '--allow-known': 'Exit with 0 if every difference is a known departure',
    '--json': 'Report as JSON',
  },
  failure: 2,
  read({ operands, has, value, values }) {
    const [oldUrl, newUrl, ...others] = operands.map(readUrl);
    if (oldUrl === undefined || newUrl === undefined || others.length > 0)
      return fail('compare requires the URL of each server, such as http://localhost:3000 and http://localhost:3001');
    const sources = SOURCES.flatMap((kind) => values(kind).map((file) => ({ kind, file })));
    if (sources.length > 1) return fail('Specify only one of --requests, --har and --log');
    const recordedAt = readUrl(value('recorded-at') ?? oldUrl.href);
    if (recordedAt === undefined) return fail('--recorded-at requires a URL: --recorded-at=https://api.example.com');
    const concurrency = readNumber(value('concurrency'), DEFAULT_CONCURRENCY);
    const timeout = readNumber(value('timeout'), DEFAULT_TIMEOUT_SECONDS);
    if (concurrency === undefined) return fail('--concurrency requires a number from 1 to 999');
    if (timeout === undefined) return fail('--timeout requires a number of seconds from 1 to 999');
    return ok({
      oldUrl,
      newUrl,
      source: sources[0] ?? ({ kind: 'description' } as const),
      recordedAt,
      token: value('token'),
      hasWrites: has('writes'),
      concurrency,
      timeoutMs: timeout * 1000,
      areKnownAllowed: has('allow-known'),
      isJson: has('json'),
    });
  },
  run: async (options) => (await import('../compare/compare-servers.ts')).reportComparison(options),
});

function readUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/u.test(url.protocol) ? url : undefined;
}

/** Returns undefined for anything but a number from 1 to 999. */
function readNumber(text: string | undefined, byDefault: number): number | undefined {
  if (text === undefined) return byDefault;
  return /^[1-9]\d{0,2}$/u.test(text) ? Number(text) : undefined;
}

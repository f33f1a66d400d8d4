// The command `compare` between two servers over one database.
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { serveWriting, loginUri } from '../../conformance/serve.ts';
import { parseExchanges } from '../../conformance/exchange.ts';
import { SECRET } from '../../conformance/send-step.ts';
import { startServerProcess, type ServerOptions, type ServerProcess } from '../../support/server-process.ts';
import { type Ended, runProgram } from '../../support/spawned-server.ts';
import { signToken } from '../../../tools/token/issue-token.ts';
import { use, useFolder } from '../../support/use.ts';

const COMMON = { 'db-schemas': 'api, labs', 'db-aggregates-enabled': true, 'db-plan-enabled': true };

const folder = useFolder();
const service = await use(serveWriting({ ...COMMON, dialect: 'postgrest', 'db-tx-end': 'commit-allow-override' }));

/** Starts another server over the same database. */
function serve(options: ServerOptions): Promise<ServerProcess> {
  const server = startServerProcess({
    'db-uri': loginUri(service.uri),
    'db-anon-role': 'web_anon',
    'jwt-secret': SECRET,
    'db-config': false,
    'log-level': 'crit',
    dialect: 'postgrest',
    ...COMMON,
    ...options,
  });
  return use(server);
}

interface Report {
  readonly compared: number;
  readonly same: number;
  readonly groups: readonly { readonly cause: string; readonly departure: { readonly id: string } | null }[];
}

async function compare(
  other: { readonly port: number },
  ...args: readonly string[]
): Promise<Ended & { report: Report }> {
  const urls = [service.server, other].map(({ port }) => `http://127.0.0.1:${port}`);
  const ended = await runProgram(['compare', ...urls, '--json', ...args]);
  return { ...ended, report: JSON.parse(ended.stdout === '' ? '{}' : ended.stdout) as Report };
}

async function write(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

test('without a file, requests follow from the description; equal servers are the same', async () => {
  const { code, report, stderr } = await compare(await serve({}));
  expect([code, stderr, report.groups]).toEqual([0, '', []]);
  expect(report.compared).toBeGreaterThan(50);
  expect(report.same).toBe(report.compared);
});

test('another db-max-rows shows in the rows, their range and the status', async () => {
  const { code, report } = await compare(await serve({ 'db-max-rows': 1 }));
  expect(code).toBe(1);
  const causes = report.groups.map(({ cause }) => cause);
  expect(causes).toEqual(expect.arrayContaining(['Missing rows', 'Header content-range', 'Status 200 → 206']));
});

test('every difference between the dialects is a known departure', async () => {
  const blocks = readFileSync(new URL('../../conformance/departures.http', import.meta.url), 'utf8').split(/^### /mu);
  const exchanges = parseExchanges(
    blocks
      .slice(1)
      .map((block) => `### ${block}`)
      .join(''),
  );
  // The old server does not know media types of the other vendor, so that no client of it asks for them.
  const reads = exchanges.filter(({ headers }) => !headers.some(([, value]) => value.includes('vnd.svc')));
  const requests = reads.map(({ method, path: target, headers }) =>
    [`###`, `${method} ${target}`, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\n'),
  );
  const file = await write('departures.http', requests.join('\n'));
  const { code, report } = await compare(await serve({ dialect: 'svc' }), '--requests', file, '--allow-known');
  expect(report.groups.filter(({ departure }) => departure === null)).toEqual([]);
  expect([code, report.groups.length > 8]).toEqual([0, true]);
});

const WRITES = `### one row more
POST /tags
Content-Type: application/json
Prefer: return=representation, tx=commit

{"k1": 4711, "k2": "x"}
`;

test('writes are refused unless both servers roll back, and change nothing if they do', async () => {
  const file = await write('writes.http', WRITES);
  const count = 'select count(*)::int as n from api.tags where k1 = 4711';
  const safe = await serve({ 'db-tx-end': 'commit-allow-override' });
  const token = signToken({ role: 'web_anon' }, SECRET);
  const refused = await compare(await serve({}), '--requests', file, '--writes');
  expect([refused.code, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toMatch(/^No writes were sent: both servers must confirm Prefer: tx=rollback\./u);
  const done = await compare(safe, '--requests', file, '--writes', '--token', `@${await write('token', `${token}\n`)}`);
  expect([done.code, done.stderr]).toEqual([0, '']);
  expect(done.report).toMatchObject({ compared: 1, same: 1, groups: [] });
  expect(await service.query(count)).toEqual([{ n: 0 }]);
});

test('a server that does not respond, or a file that cannot be read, ends with 2', async () => {
  const unreachable = await compare({ port: 1 });
  expect([unreachable.code, unreachable.stdout]).toEqual([2, '']);
  expect(unreachable.stderr).toMatch(/^http:\/\/127\.0\.0\.1:1 does not respond: .*ECONNREFUSED/u);
  const missing = await compare(service.server, '--requests', path.join(folder, 'missing'));
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain('ENOENT');
  const empty = await compare(service.server, '--log', await write('empty.log', ''));
  expect([empty.code, empty.stderr]).toEqual([2, 'There are no requests to send.\n']);
});

test.each([
  ['http://a', 'compare requires the URL of each server, such as http://localhost:3000 and http://localhost:3001'],
  [
    'http://a postgres://b',
    'compare requires the URL of each server, such as http://localhost:3000 and http://localhost:3001',
  ],
  ['http://a http://b --har x --log y', 'Specify only one of --requests, --har and --log'],
  ['http://a http://b --timeout 0', '--timeout requires a number of seconds from 1 to 999'],
  ['http://a http://b --concurrency x', '--concurrency requires a number from 1 to 999'],
  ['http://a http://b --recorded-at x', '--recorded-at requires a URL: --recorded-at=https://api.example.com'],
])('the arguments %j are rejected', async (line, message) => {
  const { code, stderr } = await runProgram(['compare', ...line.split(' ')]);
  expect([code, stderr.split('\n')[0]]).toEqual([2, message]);
});

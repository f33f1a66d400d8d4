// The same requests to the same rows, with Citus and without: the responses are equal, byte by byte, but for those listed.
import { expect, test } from 'vitest';
import { type Answer, startLocalServer } from '../support/local-server.ts';
import { createPlainTenants, createTenants, loginUri } from './citus-database.ts';
import { REQUESTS } from './requests.ts';
import { use } from '../support/use.ts';

/** What Citus cannot do, by the names of the requests, with a part of their responses. */
const DIFFERENCES: ReadonlyMap<string, string> = new Map([
  // The planner of the coordinator does not know how many rows the shards have.
  ['GET /task?order=tenant_id,task_id&limit=2 planned count', 'content-range: 0-1/'],
  ['GET /task?order=tenant_id,task_id&limit=2 estimated count', 'content-range: 0-1/'],
  ['POST /task []', 'the partition column of table api.task should have a value'],
  ['PATCH /task?tenant_id=eq.3&task_id=eq.1 {"tenant_id":4}', 'modifying the partition value of rows is not allowed'],
]);

const OPTIONS = { 'db-tx-end': 'commit-allow-override', 'db-aggregates-enabled': true };

const databases = [await use(createTenants()), await use(createPlainTenants())];
const servers = await Promise.all(
  databases.map(({ uri }) => use(startLocalServer({ uri: loginUri(uri), anon: 'web_anon' }, OPTIONS))),
);

/** Without what differs between any two responses. */
function render({ status, headers, text }: Answer): string {
  const lines = Object.entries(headers).filter(([name]) => name !== 'date');
  return [String(status), ...lines.map(([name, value]) => `${name}: ${String(value)}`), '', text].join('\n');
}

test('the differences are of requests', () => {
  const names = new Set(REQUESTS.map(({ name }) => name));
  expect([...DIFFERENCES.keys()].filter((name) => !names.has(name))).toEqual([]);
  expect(names.size).toBe(REQUESTS.length);
});

test.each(REQUESTS.map((request) => [request.name, request] as const))('%s', async (name, { path, ...parts }) => {
  const answers = await Promise.all(servers.map((server) => server.get(path, parts)));
  const [citus = '', plain = ''] = answers.map(render);
  const difference = DIFFERENCES.get(name);
  if (difference === undefined) return expect(citus).toBe(plain);
  expect(citus).not.toBe(plain);
  expect(citus).toContain(difference);
});

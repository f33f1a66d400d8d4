// Bodies of many small rows, sent to a process with a small heap by roles with and without grants.
import { expect, test } from 'vitest';
import { ask, type Answer } from '../../support/http-client.ts';
import { startServerProcess } from '../../support/server-process.ts';
import { useMarket } from './market.ts';
import { use } from '../../support/use.ts';

const market = await useMarket();
await market.sql(`
  create table api.tree (id int generated always as identity primary key);
  create table api.leaf (id int generated always as identity primary key, tree int references api.tree);
  create table api.locked (id int generated always as identity primary key);
  create table api.lock (id int generated always as identity primary key, locked int references api.locked);
  alter table api.leaf disable trigger all; -- Checking the references would take most of the time.
  grant select, insert on api.tree, api.leaf to ${market.anon};
`);

const options = {
  'db-uri': market.uri,
  'db-schemas': 'api',
  'db-anon-role': market.anon,
  'nested-max-rows': 400_000,
};
const server = await use(startServerProcess(options, { nodeArguments: ['--max-old-space-size=256'] }));

function send(url: string, body: string): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json', Prefer: 'nested=write' };
  return ask(server.port, { method: 'POST', url, headers, body });
}

function bodyOf(key: string, bytes: number): string {
  return `{"${key}":[{}${',{}'.repeat(bytes / 3)}]}`;
}

test('B33 1 MB of empty related rows fits into a small heap', async () => {
  const rows = 350_000;
  const answer = await send('/tree', bodyOf('leaf', 3 * (rows - 1)));
  expect([answer.status, answer.body]).toEqual([201, '']);
  expect(await market.query('select count(*)::int, count(tree)::int from api.leaf')).toEqual([[rows, rows]]);
});

test('B33 more rows than nested-max-rows are refused', async () => {
  const answer = await send('/tree', bodyOf('leaf', 12_000_000));
  expect([answer.status, JSON.parse(answer.body)]).toEqual([
    400,
    {
      code: 'SVC129',
      message: 'The request exceeds a limit of this server',
      details: 'a body with related rows has up to 400000 rows on all levels',
      hint: expect.stringContaining('nested-max-rows'),
    },
  ]);
});

test('B33 12 MB from a role without a grant are refused before they are read', async () => {
  const answer = await send('/locked', bodyOf('lock', 12_000_000));
  expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
    401,
    { code: '42501', message: 'permission denied for table locked' },
  ]);
  expect((await send('/tree', '{}')).status).toBe(201);
});

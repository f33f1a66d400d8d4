// Related orders by what an embed holds of further embeds, whose rows are json on their way to the body.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from '../fuzz/http-client.ts';
import { startReadingServer, type ReadingServer } from '../fuzz/reading-server.ts';

let server: ReadingServer;

beforeAll(async () => {
  server = await startReadingServer({ 'db-aggregates-enabled': true });
});
afterAll(() => server?.stop());

async function get(url: string): Promise<readonly [status: number, range: unknown, body: unknown]> {
  const answer = await ask(server.port, { method: 'GET', url, headers: {} });
  return [answer.status, answer.headers['content-range'], JSON.parse(answer.body)];
}

const CREW = (names: readonly string[]) => ({ sailors: names.map((name) => ({ name })) });

test('R195 by the embedded rows of the embed', async () => {
  const first = { id: 1, boats: CREW(['Ann', 'Bo']) };
  const second = { id: 2, boats: CREW(['Ann']) };
  const url = '/voyages?select=id,boats(sailors(name))&boats.sailors.order=name&order=boats(sailors)';
  expect(await get(url)).toEqual([200, '0-1/*', [second, first]]);
  expect(await get(`${url}.desc`)).toEqual([200, '0-1/*', [first, second]]);
});

test('R195 by an array that the embed spreads, under a key of its own', async () => {
  const rows = [
    { id: 2, crew: ['Ann'] },
    { id: 1, crew: ['Ann', 'Bo'] },
  ];
  const url = '/voyages?select=id,...boats(...sailors(crew:name))&boats.sailors.order=name&order=boats(crew)';
  expect(await get(url)).toEqual([200, '0-1/*', rows]);
});

test('R197 by a path into the embedded row of the embed', async () => {
  const boats = { harbours: { name: 'Oslo' } };
  const rows = [
    { id: 2, boats },
    { id: 1, boats },
  ];
  const url = '/voyages?select=id,boats(harbours(name))&order=boats(harbours->name),id.desc';
  expect(await get(url)).toEqual([200, '0-1/*', rows]);
});

test('R195 R222 by an embed that the level groups by', async () => {
  const url = '/voyages?select=...boats(harbours(name)),count()&order=boats(harbours)';
  expect(await get(url)).toEqual([200, '0-0/*', [{ harbours: { name: 'Oslo' }, count: 2 }]]);
});

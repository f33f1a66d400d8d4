// Related orders by values that an embed takes from its own embeds, which are json until the body is built.
import { expect, test } from 'vitest';
import { ask } from '../support/http-client.ts';
import { startReadingServer } from '../support/reading-server.ts';
import { use } from '../support/use.ts';

/** The color with the smallest stored value has the greatest text: `#ffffff`. */
const ADDED_ROWS = `
  insert into api.paints values (4, -1, 'white');
  insert into api.walls values (3, 4), (4, 2);
  create table api.alcoves (id int primary key, wall_id int references api.walls);
  insert into api.alcoves values (1, 1), (2, 3);
  grant select on api.alcoves to web_anon;`;

const server = await use(startReadingServer({ 'db-aggregates-enabled': true }, ADDED_ROWS));

async function get(url: string): Promise<readonly [status: number, range: unknown, body: unknown]> {
  const answer = await ask(server.port, { method: 'GET', url, headers: {} });
  return [answer.status, answer.headers['content-range'], JSON.parse(answer.body)];
}

const CREW = (names: readonly string[]) => ({ sailors: names.map((name) => ({ name })) });

test('R195 orders by the embedded rows of the embed', async () => {
  const first = { id: 1, boats: CREW(['Ann', 'Bo']) };
  const second = { id: 2, boats: CREW(['Ann']) };
  const url = '/voyages?select=id,boats(sailors(name))&boats.sailors.order=name&order=boats(sailors)';
  expect(await get(url)).toEqual([200, '0-1/*', [second, first]]);
  expect(await get(`${url}.desc`)).toEqual([200, '0-1/*', [first, second]]);
});

test('R195 orders by an array that the embed spreads, addressed by its alias', async () => {
  const rows = [
    { id: 2, crew: ['Ann'] },
    { id: 1, crew: ['Ann', 'Bo'] },
  ];
  const url = '/voyages?select=id,...boats(...sailors(crew:name))&boats.sailors.order=name&order=boats(crew)';
  expect(await get(url)).toEqual([200, '0-1/*', rows]);
});

test('R197 orders by a path into the embedded row of the embed', async () => {
  const boats = { harbours: { name: 'Oslo' } };
  const rows = [
    { id: 2, boats },
    { id: 1, boats },
  ];
  const url = '/voyages?select=id,boats(harbours(name))&order=boats(harbours->name),id.desc';
  expect(await get(url)).toEqual([200, '0-1/*', rows]);
});

test('R195 R222 orders by an embed that the level groups by', async () => {
  const url = '/voyages?select=...boats(harbours(name)),count()&order=boats(harbours)';
  expect(await get(url)).toEqual([200, '0-0/*', [{ harbours: { name: 'Oslo' }, count: 2 }]]);
});

test('R195 R237 orders by the stored value of a formatted column', async () => {
  const [blue, green, white] = ['#0000ff', '#00ff00', '#ffffff'].map((hue) => ({ hue }));
  const rows = [
    { id: 3, paints: white },
    { id: 1, paints: blue },
    { id: 4, paints: green },
    { id: 2, paints: null },
  ];
  expect(await get('/walls?select=id,paints(hue)&order=paints(hue)')).toEqual([200, '0-3/*', rows]);
  expect(await get('/walls?select=id,paints(hue)&order=paints(hue).desc')).toEqual([200, '0-3/*', rows.toReversed()]);
  const renamed = rows.map(({ id, paints }) => ({ id, paints: paints && { tint: paints.hue } }));
  expect(await get('/walls?select=id,paints(tint:hue)&order=paints(tint)')).toEqual([200, '0-3/*', renamed]);
  const lifted = rows.map(({ id, paints }) => ({ id, hue: paints?.hue ?? null }));
  expect(await get('/walls?select=id,...paints(hue)&order=paints(hue)')).toEqual([200, '0-3/*', lifted]);
});

test('R195 R237 orders by the stored value of a formatted column that is spread or selected with *', async () => {
  const alcoves = [
    { id: 2, walls: { hue: '#ffffff' } },
    { id: 1, walls: { hue: '#0000ff' } },
  ];
  const url = '/alcoves?select=id,walls(...paints(hue))&order=walls(hue)';
  expect(await get(url)).toEqual([200, '0-1/*', alcoves]);
  const walls = [
    { id: 4, paints: { id: 2, hue: '#00ff00', name: 'green' } },
    { id: 1, paints: { id: 1, hue: '#0000ff', name: 'blue' } },
    { id: 3, paints: { id: 4, hue: '#ffffff', name: 'white' } },
  ];
  const all = '/walls?select=id,paints!inner(*)&order=paints(hue).desc';
  expect(await get(all)).toEqual([200, '0-2/*', walls]);
});

test('R195 R207 orders by the embedded rows of a nested spread that selects *', async () => {
  const oslo = { name: 'Oslo', boats: [{ id: 1 }, { id: 2 }] };
  const url = '/voyages?select=...boats(...harbours(*,boats(id)))&boats.harbours.boats.order=id&order=boats(boats)';
  const rows = [
    { id: 1, ...oslo },
    { id: 1, ...oslo },
  ];
  expect(await get(url)).toEqual([200, '0-1/*', rows]);
});

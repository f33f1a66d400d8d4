// Hints that show how to write what a faulty part of `select` seems to mean.
import { expect, test } from 'vitest';
import { useHarbor } from '../support/harbor.ts';
import { useServers } from '../support/local-server.ts';

const harbor = await useHarbor();
const start = useServers(harbor);

await harbor.sql(`
    create table api.fleet (id int primary key);
    create table api.ship (id int primary key, fleet_id int references api.fleet);
    create table api.deck (id int primary key, ship_id int references api.ship);
    create table api.hull (id int primary key, info json, secret json, "a.b" int);
    create table api.plate (id int primary key, ship_id int references api.ship, hull_id int references api.hull);
    grant select on api.fleet, api.ship, api.deck to ${harbor.anon};
    grant select (id, info, "a.b") on api.hull to ${harbor.anon};`);
const server = await start({ 'log-level': 'warn' });

test.each([
  ['a related row', '/deck?select=id,ship.id', "To embed 'ship', write select=id,ship(id)"],
  ['all of its columns', '/deck?select=ship.*', "To embed 'ship', write select=ship(*)"],
  ['a path', '/deck?select=id,ship/id', "To embed 'ship', write select=id,ship(id)"],
  ['brackets', '/deck?select=ship[id,fleet_id],id', "To embed 'ship', write select=ship(id,fleet_id),id"],
  ['braces', '/deck?select=ship{id}', "To embed 'ship', write select=ship(id)"],
  ['braces after a colon', '/deck?select=id,ship:{id}', "To embed 'ship', write select=id,ship(id)"],
  [
    'within an embed',
    '/deck?select=id,ship!inner(id,fleet.id)',
    "To embed 'fleet', write select=id,ship!inner(id,fleet(id))",
  ],
  ['a long list', `/deck?select=${'id,'.repeat(40)}ship.id`, "To embed 'ship', write ship(id)"],
  ['a similar name', '/deck?select=ships.id', "Perhaps you meant 'ship'. To embed it, write select=ship(id)"],
  ['another name', '/ship?select=captain.id', "'ship' has no relationship 'captain'. It can embed: deck, fleet"],
  ['a JSON column', '/hull?select=info.length', 'To select a member of JSON, write select=info->length'],
  [
    'a column whose name has a dot',
    '/hull?select=a.b',
    'To show a column of a related row, write select=a(b). To quote a name with a dot, write select=%22a.b%22',
  ],
  ['a missing parenthesis', '/deck?select=id,ship(id', 'A parenthesis is missing: write select=id,ship(id)'],
  ['two missing parentheses', '/deck?select=ship(fleet(id', '2 parentheses are missing: write select=ship(fleet(id))'],
  [
    'a relation that the role may not use',
    '/hull?select=plates.id',
    'To show a column of a related row, write select=plates(id). To quote a name with a dot, write select=%22plates.id%22',
  ],
])('select with the wrong form of an embed: %s', async (_name, target, hint) => {
  const { status, text } = await server.get(target);
  expect([status, JSON.parse(text)]).toMatchObject([400, { code: 'SVC100', hint }]);
});

test('the reference dialect has no hint', async () => {
  const reference = await start({ dialect: 'postgrest', 'log-level': 'warn' });
  expect(await reference.json('/deck?select=ship.id')).toMatchObject({ code: 'PGRST100', hint: null });
});

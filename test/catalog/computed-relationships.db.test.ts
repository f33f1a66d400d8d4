import { expect, test } from 'vitest';
import { findRelationships } from '../../src/catalog/schema-cache.ts';
import { describeRelationships, loadCache } from '../support/load-cache.ts';

const cache = await loadCache(`
    create schema api; create schema shed;
    create table api.berth (id int primary key);
    create table api.vessel (id int primary key, berth_id int references api.berth);
    create table api.tug (id int primary key, berth_id int references api.berth);
    create table shed.hidden (id int primary key);
    create function api.first_berth(api.vessel) returns setof api.berth rows 1 language sql stable as 'select * from api.berth';
    create function api.one_berth(api.vessel) returns api.berth language sql stable as 'select * from api.berth';
    create function api.all_berths(v api.vessel) returns setof api.berth language sql stable as 'select * from api.berth';
    create function api.all_berths(api.tug) returns setof api.berth language sql stable as 'select * from api.berth';
    create function api.siblings(api.vessel) returns setof api.vessel language sql stable as 'select * from api.vessel';
    create function api.berth(api.tug) returns setof api.berth rows 1 language sql stable as 'select * from api.berth';
    create function api.as_table(api.vessel) returns table (x int) language sql stable as 'select 1';
    create function api.as_table_row(api.vessel) returns table (x api.berth) language sql stable as 'select b from api.berth b';
    create function api.two(api.vessel, int) returns setof api.berth language sql stable as 'select * from api.berth';
    create function api.to_hidden(api.vessel) returns setof shed.hidden language sql stable as 'select * from shed.hidden';
    create function api.from_hidden(shed.hidden) returns setof api.berth language sql stable as 'select * from api.berth';
    create function shed.from_shed(api.vessel) returns setof api.berth language sql stable as 'select * from api.berth';
    create function api.shout(api.vessel) returns text language sql stable as 'select 1::text';
  `);

test('O152 R154 a row function is a relationship: to-one with ROWS 1 or without SETOF, otherwise to-many', () => {
  expect(describeRelationships(cache, 'vessel').filter((line) => line.startsWith('computed'))).toEqual([
    'computed berth by all_berths to-many',
    'computed berth by first_berth to-one',
    'computed berth by one_berth to-one',
    'computed vessel by siblings to-many',
  ]);
});

test('R155 a row function replaces only the detected relationships to the relation of its name', () => {
  expect(describeRelationships(cache, 'tug')).toEqual([
    'computed berth by all_berths to-many',
    'computed berth by berth to-one',
  ]);
  expect(describeRelationships(cache, 'vessel')).toContain('manyToOne berth by vessel_berth_id_fkey (berth_id=id)');
  expect(describeRelationships(cache, 'berth')).toContain('oneToMany tug by tug_berth_id_fkey (id=berth_id)');
});

test('R156 overloads on different row types are separate relationships', () => {
  const origins = ['vessel', 'tug'].map((name) =>
    describeRelationships(cache, name).filter((line) => line.includes('all_berths')),
  );
  expect(origins).toEqual([['computed berth by all_berths to-many'], ['computed berth by all_berths to-many']]);
});

test('a function from a relation to itself is a self relationship', () => {
  const siblings = findRelationships(cache, { schema: 'api', name: 'vessel' }).at(-1);
  expect(siblings).toMatchObject({ kind: 'computed', isSelf: true, routine: { schema: 'api', name: 'siblings' } });
});

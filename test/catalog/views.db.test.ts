import { describe, expect, test } from 'vitest';
import { findRelation, findRelationships } from '../../src/catalog/schema-cache.ts';
import { describeRelationships, loadCache } from '../support/load-cache.ts';

/** Views that expose `vessel.pilot_id` as their column `p`. */
const TRACED: Readonly<Record<string, string>> = {
  plain: 'select id, pilot_id as p from api.vessel',
  inner_join: 'select v.pilot_id as p from api.visit x join api.vessel v on v.id = x.vessel_id',
  right_join: 'select v.pilot_id as p from api.vessel v right join api.visit x on v.id = x.vessel_id',
  full_join: 'select v.pilot_id as p from api.vessel v full join api.visit x on v.id = x.vessel_id',
  cross_join: 'select v.pilot_id as p from api.berth, api.vessel v',
  join_alias: 'select j.pilot_id as p from (api.vessel left join api.berth using (id)) as j',
  using_left: 'select pilot_id as p from api.vessel left join api.pilot_log using (pilot_id)',
  using_right: 'select pilot_id as p from api.pilot_log right join api.vessel using (pilot_id)',
  natural_inner: 'select pilot_id as p from api.vessel natural join api.pilot_log',
  sub_select: 'select s.pilot_id as p from (select pilot_id from api.vessel where id > 0) s',
  lateral: 'select l.x as p from api.berth b, lateral (select pilot_id as x from api.vessel v where v.id = b.id) l',
  cte: 'with c as (select id, pilot_id from api.vessel) select c.pilot_id as p from c',
  cte_materialized: 'with c as materialized (select pilot_id from api.vessel) select c.pilot_id as p from c',
  cte_in_sub_select: 'select s.x as p from (with c as (select pilot_id as x from api.vessel) select x from c) s',
  view_on_view: 'select p from api.plain',
  view_on_extra: 'select p from public.extra',
  distinct_rows: 'select distinct pilot_id as p from api.vessel',
  grouped: 'select pilot_id as p, count(*) as n from api.vessel group by pilot_id having count(*) > (select 0)',
  grouped_sets: 'select pilot_id as p, id from api.vessel group by grouping sets ((pilot_id), (id))',
  limited: 'select pilot_id as p from api.vessel order by name limit (select 1)',
  windowed: 'select pilot_id as p, row_number() over (order by id) as n from api.vessel',
  sub_link: 'select exists (select 1 from api.pilot) as e, pilot_id as p from api.vessel',
  odd_names: `select name as ":resorigtbl 1 ({\\", ') {TARGETENTRY :resno 9'::text as "a b", pilot_id as p from api.vessel`,
};

/** Views with a column `p` whose value may equal `vessel.pilot_id` but which is not that column. */
const UNTRACED: Readonly<Record<string, string>> = {
  union_all: 'select pilot_id as p from api.vessel union all select pilot_id from api.shift',
  union_below: 'select s.p from (select pilot_id as p from api.vessel union select pilot_id from api.shift) s',
  intersected: 'select pilot_id as p from api.vessel intersect select pilot_id from api.shift',
  excepted: 'select pilot_id as p from api.vessel except select pilot_id from api.shift',
  recursive: `with recursive c(p) as (select pilot_id from api.vessel union all select c.p + 1 from c where c.p < 0)
    select p from c`,
  expression: 'select pilot_id + 0 as p from api.vessel',
  casted: 'select pilot_id::bigint as p from api.vessel',
  aggregate: 'select max(pilot_id) as p from api.vessel',
  scalar_sub_query: 'select (select pilot_id from api.vessel where id = 1) as p',
  full_join_merged: 'select pilot_id as p from api.vessel full join api.pilot_log using (pilot_id)',
  row_function: 'select f.pilot_id as p from api.vessels() f',
  listed_values: 'select v.p from (values (1)) v(p)',
  hidden: 'select name as p from api.vessel where pilot_id is not null order by pilot_id',
  cut: 'select p from shed.mid',
};

function primaryKey(name: string): readonly string[] | undefined {
  return findRelation(cache, { schema: 'api', name })?.primaryKey;
}

/** Returns the view columns through which the key from `vessel` to `pilot` is exposed. */
function pilotKeyColumns(name: string): readonly (readonly string[])[] {
  return findRelationships(cache, { schema: 'api', name })
    .filter((relationship) => relationship.kind === 'manyToOne' && relationship.target.name === 'pilot')
    .map((relationship) => (relationship.kind === 'manyToOne' ? relationship.columns.map(([own]) => own) : []));
}

const views = [...Object.entries(TRACED), ...Object.entries(UNTRACED)];
const cache = await loadCache(`
    create schema api; create schema shed; create schema depot;
    create table api.pilot (id int primary key, name text);
    create table api.vessel (id int primary key, name text, pilot_id int references api.pilot);
    create table api.berth (id int primary key);
    create table api.visit (vessel_id int references api.vessel, berth_id int references api.berth, at int,
      primary key (vessel_id, berth_id, at));
    create table api.shift (id int primary key, pilot_id int);
    create table api.pilot_log (pilot_id int, entry text);
    create function api.vessels() returns setof api.vessel language sql stable as 'select * from api.vessel';
    create view public.extra as select pilot_id as p from api.vessel;
    create view shed.mid as select pilot_id as p from api.vessel;
    ${views.map(([name, query]) => `create view api.${name} as ${query};`).join('\n')}
    create materialized view api.stored as select p from api.view_on_view;

    create table api.mooring (slot int, pier text, primary key (slot, pier));
    create table api.rope (id int primary key, on_pier text, on_slot int,
      foreign key (on_pier, on_slot) references api.mooring (pier, slot));
    create view api.rope_full as select id as rope_id, on_slot as s, on_pier as p from api.rope;
    create view api.rope_half as select id, on_pier from api.rope;
    create view api.mooring_turned as select pier as b, slot as a from api.mooring;
    create view api.fleet as select v.id as vid, v.name, p.id as pid from api.vessel v join api.pilot p on p.id = v.pilot_id;
    create view api.visit_twice as select vessel_id as a, vessel_id as b, at from api.visit;
    create view api.vessel_paired as select v.id as first, v.id as second from api.vessel v;
    create table depot.crate (id int primary key);
    create table depot.item (id int primary key, crate_id int references depot.crate);
    create view api.crates as select id as crate_no from depot.crate;
    create view api.items as select id, crate_id as of_crate from depot.item;
    create table depot.tow (tug_id int, barge_id int, primary key (tug_id, barge_id));
    create table api.tug (id int primary key); create table api.barge (id int primary key);
    alter table depot.tow add foreign key (tug_id) references api.tug;
    alter table depot.tow add foreign key (barge_id) references api.barge;
    create view api.tows as select barge_id as b, tug_id as t from depot.tow;
    create view api.round as select 1 as x; create view api.trip as select x from api.round;
    create or replace view api.round as select x from api.trip;
  `);

describe('O146 R150 R153 traced columns', () => {
  test.each(Object.keys(TRACED))('%s', (name) => {
    expect(pilotKeyColumns(name)).toEqual([['p']]);
  });

  test('traces columns through a materialized view over views', () => {
    expect(pilotKeyColumns('stored')).toEqual([['p']]);
  });

  test('views that form a cycle expose nothing', () => {
    expect(describeRelationships(cache, 'round')).toEqual([]);
    expect(primaryKey('trip')).toEqual([]);
  });
});

describe('O147 O148 untraced columns', () => {
  test.each(Object.keys(UNTRACED))('%s', (name) => {
    expect(findRelation(cache, { schema: 'api', name })?.columns.has('p')).toBe(true);
    expect(pilotKeyColumns(name)).toEqual([]);
  });
});

test('a view is the target of keys if it exposes the referenced columns', () => {
  expect(describeRelationships(cache, 'visit').filter((line) => line.includes(' fleet '))).toEqual([
    'manyToOne fleet by visit_vessel_id_fkey (vessel_id=vid)',
  ]);
  expect(describeRelationships(cache, 'plain').filter((line) => line.includes(' fleet '))).toEqual([
    'manyToOne fleet by vessel_pilot_id_fkey (p=pid)',
  ]);
});

test('O149 R152 a view that lacks a column of a key has no relationship through it', () => {
  expect(describeRelationships(cache, 'rope_half')).toEqual([]);
});

test('R151 renamed columns keep the relationship and its column pairs', () => {
  expect(describeRelationships(cache, 'rope_full')).toEqual([
    'manyToOne mooring by rope_on_pier_on_slot_fkey (p=pier s=slot)',
    'manyToOne mooring_turned by rope_on_pier_on_slot_fkey (p=b s=a)',
  ]);
});

test('O150 infers the primary key of a view in key order; a join view has both keys', () => {
  expect(primaryKey('rope_full')).toEqual(['rope_id']);
  expect(primaryKey('mooring_turned')).toEqual(['a', 'b']);
  expect(primaryKey('fleet')).toEqual(['vid', 'pid']);
  expect(primaryKey('visit_twice')).toEqual([]);
  expect(primaryKey('vessel_paired')).toEqual(['first']);
  expect(primaryKey('cut')).toEqual([]);
});

test('O150 a join view has relationships through the keys it exposes, not through those it hides', () => {
  const lines = describeRelationships(cache, 'fleet');
  expect(lines).toContain('oneToMany visit by visit_vessel_id_fkey (vid=vessel_id)');
  expect(lines).toContain('oneToMany vessel by vessel_pilot_id_fkey (pid=pilot_id)');
  expect(lines).toContain('manyToMany berth via visit (vid=vessel_id) (berth_id=id)');
  expect(lines.filter((line) => line.startsWith('manyToOne'))).toEqual([]);
});

test('O151 a key column exposed twice creates one relationship for each', () => {
  expect(describeRelationships(cache, 'visit_twice').filter((line) => line.includes(' vessel '))).toEqual([
    'manyToOne vessel by visit_vessel_id_fkey (a=id)',
    'manyToOne vessel by visit_vessel_id_fkey (b=id)',
  ]);
  expect(describeRelationships(cache, 'visit').filter((line) => line.includes(' vessel_paired '))).toEqual([
    'manyToOne vessel_paired by visit_vessel_id_fkey (vessel_id=first)',
    'manyToOne vessel_paired by visit_vessel_id_fkey (vessel_id=second)',
  ]);
});

test('views over unexposed tables have relationships with each other', () => {
  expect(describeRelationships(cache, 'items')).toEqual(['manyToOne crates by item_crate_id_fkey (of_crate=crate_no)']);
  const [inverse] = findRelationships(cache, { schema: 'api', name: 'crates' });
  expect(inverse).toMatchObject({ kind: 'oneToMany', originIsView: true, targetIsView: true, isSelf: false });
});

test('R149 an exposed view of both keys of a private junction is a junction', () => {
  expect(describeRelationships(cache, 'tug')).toEqual([
    'manyToMany barge via tows (id=t) (b=id)',
    'oneToMany tows by tow_tug_id_fkey (id=t)',
  ]);
});

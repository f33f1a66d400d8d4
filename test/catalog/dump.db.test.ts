import { expect, test } from 'vitest';
import { renderSchemaCacheDump } from '../../src/catalog/dump.ts';
import { summarizeSchemaCache } from '../../src/catalog/summary.ts';
import { loadCache } from '../support/load-cache.ts';

function entry(array: string, key: unknown): unknown {
  return dump[array]?.find(([found]) => JSON.stringify(found) === JSON.stringify(key))?.[1];
}

const cache = await loadCache(
  `
    create schema api; create schema more;
    create type api.status as enum ('free', 'taken');
    create table api.vessel (id int primary key, s api.status default 'free', label varchar(9));
    create table api.berth (id int primary key);
    comment on table api.berth is 'A place';
    comment on column api.berth.id is 'Painted';
    create table more.visit (vessel_id int references api.vessel, berth_id int references api.berth,
      primary key (vessel_id, berth_id));
    create table api.paper (vessel_id int primary key references api.vessel);
    create function api.berths(api.vessel) returns setof api.berth language sql as 'select * from api.berth';
    create function api.f(a character, variadic b int[] default '{}') returns int language sql stable
      set work_mem = '5MB' set default_transaction_isolation = 'serializable' as 'select 1';
    create function api.f() returns int language sql as 'select 1';
    create domain api.tint as int;
    create function api.tint_out(api.tint) returns json language sql as 'select to_json($1::int)';
    create cast (api.tint as json) with function api.tint_out(api.tint) as implicit;
    create domain "text/csv" as text;
    create function api.page() returns "text/csv" language sql as 'select null::"text/csv"';
    `,
  { schemas: ['api', 'more'], extraSearchPath: ['public'] },
);
const dump: Readonly<Record<string, readonly (readonly [unknown, unknown])[]>> = JSON.parse(
  renderSchemaCacheDump(cache),
);

test('O166 the dump is one line with five arrays', () => {
  expect(renderSchemaCacheDump(cache)).not.toContain('\n');
  expect(Object.keys(dump)).toEqual([
    'dbTables',
    'dbRelationships',
    'dbRoutines',
    'dbRepresentations',
    'dbMediaHandlers',
  ]);
});

test('dumps a table and its columns', () => {
  expect(entry('dbTables', { qiName: 'berth', qiSchema: 'api' })).toEqual({
    tableSchema: 'api',
    tableName: 'berth',
    tableDescription: 'A place',
    tableIsView: false,
    tableInsertable: true,
    tableUpdatable: true,
    tableDeletable: true,
    tablePKCols: ['id'],
    tableColumns: {
      id: {
        colName: 'id',
        colDescription: 'Painted',
        colNullable: false,
        colType: 'integer',
        colNominalType: 'integer',
        colMaxLen: null,
        colDefault: null,
        colEnum: [],
      },
    },
  });
  expect(entry('dbTables', { qiName: 'vessel', qiSchema: 'api' })).toMatchObject({
    tableDescription: null,
    tableColumns: { s: { colDefault: "'free'::api.status", colEnum: ['free', 'taken'] }, label: { colMaxLen: 9 } },
  });
});

test('dumps relationships by origin and target schema', () => {
  const vessel = { qiName: 'vessel', qiSchema: 'api' };
  const berth = { qiName: 'berth', qiSchema: 'api' };
  const visit = { qiName: 'visit', qiSchema: 'more' };
  expect(entry('dbRelationships', [vessel, 'more'])).toEqual([
    {
      tag: 'Relationship',
      relTable: vessel,
      relForeignTable: visit,
      relIsSelf: false,
      relTableIsView: false,
      relFTableIsView: false,
      relCardinality: { tag: 'O2M', relCons: 'visit_vessel_id_fkey', relColumns: [['id', 'vessel_id']] },
    },
  ]);
  expect(entry('dbRelationships', [vessel, 'api'])).toMatchObject([
    {
      relForeignTable: berth,
      relCardinality: {
        tag: 'M2M',
        junTable: visit,
        junConstraint1: 'visit_vessel_id_fkey',
        junConstraint2: 'visit_berth_id_fkey',
        junColsSource: [['id', 'vessel_id']],
        junColsTarget: [['berth_id', 'id']],
      },
    },
    {
      tag: 'ComputedRelationship',
      relFunction: { qiName: 'berths', qiSchema: 'api' },
      relToOne: false,
      relIsSelf: false,
    },
    { relCardinality: { tag: 'O2O', isParent: true, relCons: 'paper_vessel_id_fkey' } },
  ]);
});

test('dumps overloads, representations and handlers', () => {
  expect(entry('dbRoutines', { qiName: 'f', qiSchema: 'api' })).toMatchObject([
    { pdParams: [], pdVolatility: 'Volatile', pdHasVariadic: false, pdIsoLvl: null, pdFuncSettings: [] },
    {
      pdSchema: 'api',
      pdName: 'f',
      pdDescription: null,
      pdParams: [
        { ppName: 'a', ppType: 'character', ppTypeMaxLength: 'character varying', ppReq: true, ppVar: false },
        { ppName: 'b', ppType: 'integer[]', ppTypeMaxLength: 'integer[]', ppReq: false, ppVar: true },
      ],
      pdVolatility: 'Stable',
      pdHasVariadic: true,
      pdIsoLvl: 'serializable',
      pdFuncSettings: [
        ['work_mem', '5MB'],
        ['default_transaction_isolation', 'serializable'],
      ],
    },
  ]);
  expect(entry('dbRepresentations', ['api.tint', 'json'])).toEqual({
    drSourceType: 'api.tint',
    drTargetType: 'json',
    drFunction: { qiName: 'tint_out', qiSchema: 'api' },
  });
  const page = { qiName: 'page', qiSchema: 'api' };
  expect(entry('dbMediaHandlers', [page, 'text/csv'])).toEqual([page, 'text/csv']);
  expect(entry('dbMediaHandlers', ['any', '*/*'])).toEqual(['builtIn', 'application/json']);
});

test('O206 the summary counts distinct names, and relationships by origin and target schema', () => {
  expect(summarizeSchemaCache(cache)).toEqual({
    relations: 4,
    relationships: 6,
    routines: 2,
    representations: 1,
    mediaHandlers: 5,
  });
});

import { expect, test } from 'vitest';
import { findRoutines, type Routine, type RoutineResult } from '../../src/catalog/schema-cache.ts';
import { loadCache } from '../support/load-cache.ts';

function routine(name: string): Routine {
  const [first] = findRoutines(cache, { schema: 'api', name });
  if (first === undefined) throw new Error(`no routine ${name}`);
  return first;
}

function result(name: string): RoutineResult {
  return routine(name).result;
}

/** Renders `name type`, with `?` after optional and `...` before variadic parameters. */
function parameters({ parameters }: Routine): readonly string[] {
  return parameters.map(
    ({ name, type, isRequired, isVariadic }) => `${isVariadic ? '...' : ''}${name} ${type}${isRequired ? '' : '?'}`,
  );
}

const cache = await loadCache(`
    create schema api; create schema shed;
    create table api.berth (id int primary key);
    create type api.spot as (lat numeric, lon numeric);
    create type api.status as enum ('free');
    create domain api.place as api.spot;
    create domain api.code as text;

    create procedure api.proc() language sql as 'select 1';
    create function api.trig() returns trigger language plpgsql as 'begin return null; end';
    create function api.unnamed_int(int) returns int language sql as 'select 1';
    create function api.unnamed_row(api.berth) returns int language sql as 'select 1';
    create function api.unnamed_two(json, json) returns int language sql as 'select 1';
    create function api.half_named(a int, int) returns int language sql as 'select 1';
    create aggregate api.my_sum(int) (sfunc = int4pl, stype = int, initcond = 0);
    create function api.win() returns bigint language internal window as 'window_row_number';
    create function shed.other() returns int language sql as 'select 1';

    create function api.json_body(json) returns json language sql as 'select $1';
    create function api.jsonb_body(jsonb) returns json language sql as 'select $1::json';
    create function api.text_body(text) returns text language sql as 'select $1';
    create function api.xml_body(xml) returns int language sql as 'select 1';
    create function api.bytea_body(bytea, out x int) language sql as 'select 1';
    create function api.none() returns int language sql as 'select 1';

    create function api.opt(a int, b int default 2, variadic c text[] default '{}') returns text language sql as 'select null::text';
    create function api.rest(a int, variadic c text[]) returns text language sql as 'select null::text';
    create function api.outs(out x int, y int, out z text, w int default 1) language sql as $$ select 1, 'z' $$;
    create function api.in_out(inout x int, inout y text default 'a') language sql as 'select x, y';
    create function api.lengths(c character, b bit, cs character[], bs bit[], v varchar(3), "s t" api.status) returns text
      language sql as 'select null::text';

    create function api.scalar() returns api.code language sql as 'select null::api.code';
    create function api.scalars() returns setof int language sql as 'select 1';
    create function api.nothing() returns void language sql as 'select';
    create function api.unknown_row() returns record language sql as 'select 1, 2';
    create function api.unknown_rows() returns setof record language sql as 'select 1, 2';
    create function api.row() returns api.berth language sql as 'select * from api.berth';
    create function api.rows() returns setof api.berth language sql as 'select * from api.berth';
    create function api.made_row() returns api.spot language sql as 'select null::api.spot';
    create function api.domain_row() returns api.place language sql as 'select null::api.place';
    create function api.one_out(out x int) language sql as 'select 5';
    create function api.one_inout(inout x int) language sql as 'select x';
    create function api.one_table() returns table (x int) language sql as 'select 5';
    create function api.out_row(out r api.berth) language sql as 'select b from api.berth b';
    create function api.unnamed_outs(out int, out text) language sql as $$ select 1, 'a' $$;
    create function api.unnamed_out(out int) language sql as 'select 1';

    create function api.over(a int, b int) returns int language sql as 'select 1';
    create function api.over(b bigint) returns int language sql as 'select 1';
    create function api.over(a text) returns int language sql as 'select 1';
    create function api.over(a int) returns int language sql as 'select 1';
    create function api.over(a bool) returns int language sql as 'select 1';
    comment on function api.over(bool) is 'Commented';

    create function api.set_up() returns int language sql immutable
      set statement_timeout = '200ms' set default_transaction_isolation = 'SERIALIZABLE' set search_path = api, public
      as 'select 1';
    create function api.committed() returns int language sql stable
      set default_transaction_isolation = 'read committed' as 'select 1';
  `);

test('O153 procedures, trigger functions, aggregates, window functions and unnamed parameters are omitted', () => {
  const names = [...(cache.routines.get('api')?.keys() ?? [])];
  for (const name of ['proc', 'trig', 'unnamed_int', 'unnamed_row', 'unnamed_two', 'half_named', 'my_sum', 'win']) {
    expect(names).not.toContain(name);
  }
  expect([...cache.routines.keys()]).toEqual(['api']);
});

test('accepts a single unnamed parameter of a body type, or no parameter', () => {
  expect(parameters(routine('json_body'))).toEqual([' json']);
  expect(parameters(routine('jsonb_body'))).toEqual([' jsonb']);
  expect(parameters(routine('text_body'))).toEqual([' text']);
  expect(parameters(routine('xml_body'))).toEqual([' xml']);
  expect(parameters(routine('bytea_body'))).toEqual([' bytea']);
  expect(parameters(routine('none'))).toEqual([]);
});

test('O154 decodes defaults, variadic, OUT and INOUT parameters', () => {
  expect(parameters(routine('opt'))).toEqual(['a integer', 'b integer?', '...c text[]?']);
  expect(parameters(routine('rest'))).toEqual(['a integer', '...c text[]']);
  expect(parameters(routine('outs'))).toEqual(['y integer', 'w integer?']);
  expect(parameters(routine('in_out'))).toEqual(['x integer', 'y text?']);
});

test('O155 a single OUT or INOUT parameter and RETURNS TABLE are composite', () => {
  const composite = { kind: 'composite', type: 'integer', rowType: undefined, outColumns: [['x', 'integer']] };
  expect(routine('one_out').result).toEqual({ ...composite, isSet: false });
  expect(routine('one_inout').result).toEqual({ ...composite, isSet: false });
  expect(routine('one_table').result).toEqual({ ...composite, isSet: true });
  expect(routine('outs').result).toEqual({
    kind: 'composite',
    isSet: false,
    type: 'record',
    rowType: undefined,
    outColumns: [
      ['x', 'integer'],
      ['z', 'text'],
    ],
  });
  expect(routine('unnamed_outs').result).toMatchObject({
    outColumns: [
      ['column1', 'integer'],
      ['column2', 'text'],
    ],
  });
  expect(routine('unnamed_out').result).toMatchObject({ outColumns: [['unnamed_out', 'integer']] });
});

test('row types, and domains over them, are composite', () => {
  const OID: unknown = expect.stringMatching(/^[1-9]\d*$/u);
  const berth = {
    kind: 'composite',
    type: 'api.berth',
    rowType: { schema: 'api', name: 'berth', oid: OID },
    outColumns: [],
  };
  expect(result('row')).toEqual({ ...berth, isSet: false });
  expect(result('rows')).toEqual({ ...berth, isSet: true });
  expect(result('out_row')).toEqual({ ...berth, isSet: false });
  const spot = { kind: 'composite', isSet: false, rowType: { schema: 'api', name: 'spot', oid: OID }, outColumns: [] };
  expect(result('made_row')).toEqual({ ...spot, type: 'api.spot' });
  expect(result('domain_row')).toEqual({ ...spot, type: 'api.place' });
});

test('decodes scalars, undeclared rows and void', () => {
  expect(routine('scalar').result).toEqual({ kind: 'scalar', isSet: false, type: 'api.code', isRecord: false });
  expect(routine('scalars').result).toEqual({ kind: 'scalar', isSet: true, type: 'integer', isRecord: false });
  expect(routine('unknown_row').result).toEqual({ kind: 'scalar', isSet: false, type: 'record', isRecord: true });
  expect(routine('unknown_rows').result).toEqual({ kind: 'scalar', isSet: true, type: 'record', isRecord: true });
  expect(routine('nothing').result).toEqual({ kind: 'void' });
});

test('O156 character and bit parameters are cast without their length', () => {
  expect(routine('lengths').parameters.map(({ type, castType }) => [type, castType])).toEqual([
    ['character', 'character varying'],
    ['bit', 'bit varying'],
    ['character[]', 'character varying[]'],
    ['bit[]', 'bit varying[]'],
    ['character varying', 'character varying'],
    ['api.status', 'api.status'],
  ]);
});

test('sorts overloads with the fewest parameters first, then without comment, then by names and types', () => {
  const overloads = findRoutines(cache, { schema: 'api', name: 'over' });
  expect(overloads.map((overload) => parameters(overload).join(', '))).toEqual([
    'a integer',
    'a text',
    'b bigint',
    'a boolean',
    'a integer, b integer',
  ]);
  expect(overloads.map(({ comment }) => comment)).toEqual([undefined, undefined, undefined, 'Commented', undefined]);
});

test('decodes settings, isolation and volatility', () => {
  expect(routine('set_up')).toMatchObject({
    volatility: 'immutable',
    isolation: 'serializable',
    settings: [
      ['statement_timeout', '200ms'],
      ['default_transaction_isolation', 'SERIALIZABLE'],
      ['search_path', 'api, public'],
    ],
  });
  expect(routine('committed')).toMatchObject({ volatility: 'stable', isolation: 'read committed' });
  expect(routine('none')).toMatchObject({ volatility: 'volatile', isolation: undefined, settings: [] });
});

// Functions with every kind of argument and result, and views that accept writes through triggers or rules.
import { describe, expect, test } from 'vitest';
import { generateTypesOf, typeAt } from './generate-types.ts';

const SQL = `
  create schema api; create schema shop; create schema hidden;
  create domain hidden.filled as text not null;
  create type api.pair as (a integer, b text);
  create table api.people (id integer primary key, name text not null, boss_id integer references api.people);
  create table api.flats (person_id integer primary key references api.people, street text);
  create table shop.orders (id integer primary key, person_id integer not null references api.people);
  create table hidden.secrets (id integer primary key, word text not null);

  create function api.full_name(api.people) returns hidden.filled language sql return ($1).name;
  create function api.full_name(id integer) returns text language sql return 'x';
  create function api.friends(person api.people) returns setof api.people language sql as 'select null::api.people';
  create function api.boss(api.people) returns api.people language sql as 'select $1';
  create function api.flat_list(api.people) returns setof integer language sql return 1;
  create function api.name(api.people) returns text language sql return 'shadowed';
  create function api.orders_of(api.people) returns setof shop.orders language sql as 'select null::shop.orders';

  create function api.two(a integer, b api.pair default null, out x integer, out y hidden.filled) language sql as 'select 1, ''''';
  create function api.pairs() returns setof api.pair language sql as 'select null::api.pair';
  create function api.secret() returns hidden.secrets language sql as 'select null::hidden.secrets';
  create function api.anything(anyelement) returns anyelement language sql as 'select $1';
  create function api.any_named(a anyelement) returns anyelement language sql as 'select a';
  create function api.orders() returns setof shop.orders language sql as 'select null::shop.orders';
  create function api.stamp() returns trigger language plpgsql as 'begin return new; end';
  create function api.binary(bytea) returns bytea language sql return $1;
  create function api.records() returns setof record language sql as 'select 1';
  create function api.takes_person(p api.people, n integer) returns integer language sql return 1;
  create procedure api.act() language sql as '';
  create function api.unclear(a integer) returns integer language sql return a;
  create function api.unclear(a text) returns text language sql return a;
  create function api.partly_clear(a integer) returns integer language sql return a;
  create function api.partly_clear(a integer, b integer default 1) returns text language sql return 'x';
  create function api.one_text(text) returns text language sql return $1;
  create function api.maybe_text(text default 'x') returns text language sql return $1;
  create function api.one_or_none() returns integer language sql return 1;
  create function api.one_or_none(text) returns text language sql return $1;
  create function api.one_json(jsonb) returns jsonb language sql return $1;
  create function api.json_or_text(json) returns json language sql return $1;
  create function api.json_or_text(text) returns text language sql return $1;
  create function api.one_number(integer) returns integer language sql return $1;
  create function api.two_numbers(integer, integer) returns integer language sql return $1;
  create function api.half_named(integer, b integer) returns integer language sql return $1;
  create function api.on_event() returns event_trigger language plpgsql as 'begin end';
  comment on function api.orders() is 'All of them';

  create view api.triggered as select id, upper(name) as name from api.people;
  create trigger instead instead of insert on api.triggered for each row execute function api.stamp();
  create view api.ruled as select id, upper(name) as name from api.people;
  create rule instead as on update to api.ruled do instead nothing;
`;

const text = await generateTypesOf(SQL, 'api,shop');
const exact = await generateTypesOf(SQL, 'api,shop', { areFunctionsExact: true });

/** Normalizes white space like `typeAt`. */
function notFound(name: string): string {
  return (
    `{ error: true } & "Searched for the function api.${name} with parameter or with a single unnamed json/jsonb ` +
    'parameter, but no matches were found in the schema cache."'
  );
}

const functionType = (name: string): string | undefined => typeAt(text, 'api', 'Functions', name);

describe('functions of a row', () => {
  test('a computed field is part of the row, and marked by its unnamed argument', () => {
    expect(typeAt(text, 'api', 'Tables', 'people', 'Row')).toBe(
      '{ boss_id: number | null; id: number; name: string; full_name: string; }',
    );
    expect(typeAt(text, 'api', 'Tables', 'people', 'Update')).toBe(
      '{ boss_id?: number | null; id?: number; name?: string; }',
    );
    const row = '{ "": Database["api"]["Tables"]["people"]["Row"]; }';
    expect(functionType('full_name')).toBe(
      `| { Args: { id: number; }; Returns: string; } | { Args: ${row}; Returns: ${notFound('full_name')}; }`,
    );
  });

  test('a computed relationship leads from its row to others', () => {
    const row = 'Omit<Database["api"]["Tables"]["people"]["Row"], "full_name">';
    expect(functionType('friends')).toBe(
      `{ Args: { person: Database["api"]["Tables"]["people"]["Row"]; }; Returns: Array<${row}>; ` +
        'SetofOptions: { from: "people"; to: "people"; isOneToOne: false; isSetofReturn: true; }; }',
    );
    expect(functionType('boss')).toBe(
      `{ Args: { "": Database["api"]["Tables"]["people"]["Row"]; }; Returns: ${row}; ` +
        'SetofOptions: { from: "people"; to: "people"; isOneToOne: true; isSetofReturn: false; }; }',
    );
  });

  test('functions that are neither a field nor a relationship within the schema are omitted', () => {
    expect([functionType('flat_list'), functionType('name')]).toEqual([undefined, undefined]);
    expect(functionType('orders_of')).toBe(
      '{ Args: { "": Database["api"]["Tables"]["people"]["Row"]; }; ' +
        'Returns: Database["shop"]["Tables"]["orders"]["Row"][]; }',
    );
  });
});

describe('other functions', () => {
  test.each([
    [
      'two',
      '{ Args: { a: number; b?: Database["api"]["CompositeTypes"]["pair"]; }; Returns: { x: number; y: string; }; }',
    ],
    ['pairs', '{ Args: never; Returns: Database["api"]["CompositeTypes"]["pair"][]; }'],
    ['secret', '{ Args: never; Returns: { id: number | null; word: string | null; }; }'],
    ['anything', undefined],
    ['any_named', '{ Args: { a: unknown; }; Returns: unknown; }'],
    ['orders', '{ Args: never; Returns: Database["shop"]["Tables"]["orders"]["Row"][]; }'],
    ['stamp', undefined],
    ['on_event', undefined],
    ['binary', '{ Args: { "": string; }; Returns: string; }'],
    ['records', '{ Args: never; Returns: Array<Record<string, unknown>>; }'],
    [
      'takes_person',
      '{ Args: { p: { boss_id: number | null; id: number | null; name: string | null; }; n: number; }; ' +
        'Returns: number; }',
    ],
    ['act', undefined],
  ])('%s', (name, type) => {
    expect(functionType(name)).toBe(type);
  });

  test('with exact functions, null is included where PostgreSQL allows it', () => {
    expect(typeAt(exact, 'api', 'Functions', 'two')).toBe(
      '{ Args: { a: number | null; b?: Database["api"]["CompositeTypes"]["pair"] | null; }; ' +
        'Returns: { x: number | null; y: string; }; }',
    );
    expect(typeAt(exact, 'api', 'Functions', 'takes_person')).toMatch(
      /name: string \| null; \} \| null; n: number \| null; \}; Returns: number \| null; \}$/u,
    );
  });

  test.each([
    ['one_text', '{ Args: { "": string; }; Returns: string; }'],
    ['maybe_text', '{ Args: { ""?: string; }; Returns: string; }'],
    ['one_or_none', '| { Args: never; Returns: number; } | { Args: { "": string; }; Returns: string; }'],
    ['one_json', '{ Args: { [key: string]: Json | undefined }; Returns: Json; }'],
  ])('%s takes its unnamed argument under the name ""', (name, type) => {
    expect(functionType(name)).toBe(type);
  });

  test('one of two unnamed arguments takes every body', () => {
    expect(functionType('json_or_text')).toContain('{ Args: { [key: string]: Json | undefined }; Returns: Json; }');
  });

  test.each(['one_number', 'two_numbers', 'half_named'])('%s cannot be called and is omitted', (name) => {
    expect(functionType(name)).toBeUndefined();
  });

  test('an overload that no arguments select returns the error of the server', () => {
    const between = (signatures: string): string =>
      `{ error: true } & "Could not choose the best candidate function between: ${signatures}. Try renaming the ` +
      'parameters or the function itself in the database so function overloading can be resolved"';
    const unclear = between('api.unclear(a => integer), api.unclear(a => text)');
    expect(functionType('unclear')).toBe(
      `| { Args: { a: number; }; Returns: ${unclear}; } | { Args: { a: string; }; Returns: ${unclear}; }`,
    );
    const partly = between('api.partly_clear(a => integer), api.partly_clear(a => integer, b => integer)');
    expect(functionType('partly_clear')).toBe(
      `| { Args: { a: number; }; Returns: ${partly}; } | { Args: { a: number; b?: number; }; Returns: string; }`,
    );
  });

  test('comments precede names', () => {
    expect(text).toContain('      /** All of them */\n      orders: {');
  });
});

test('the order in which columns and fields were added does not change the text', async () => {
  const made = await generateTypesOf(`create schema api;
    create type api.pair as (a integer, b integer, c integer); create table api.places (id integer primary key, b integer, c integer);`);
  const altered = await generateTypesOf(`create schema api;
    create table api.places (id integer primary key, c integer); alter table api.places add b integer;
    create type api.pair as (a integer, c integer); alter type api.pair add attribute b integer;`);
  expect(altered).toBe(made);
});

test('relationships stay within a schema and distinguish to-one from to-many', () => {
  expect(typeAt(text, 'api', 'Tables', 'flats', 'Relationships')).toContain(
    '{ foreignKeyName: "flats_person_id_fkey"; columns: ["person_id"]; isOneToOne: true; ' +
      'referencedRelation: "people"; referencedColumns: ["id"]; }',
  );
  expect(typeAt(text, 'shop', 'Tables', 'orders', 'Relationships')).toBe('[]');
});

test('views with triggers or rules accept every column', () => {
  expect(typeAt(text, 'api', 'Views', 'triggered', 'Insert')).toBe('{ id?: number; name?: string | null; }');
  expect(typeAt(text, 'api', 'Views', 'ruled', 'Update')).toBe('{ id?: number; name?: string | null; }');
});

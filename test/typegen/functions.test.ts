// Functions of every kind of argument and result, and relations that take writes in their own way.
import { beforeAll, describe, expect, test } from 'vitest';
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
  comment on function api.orders() is 'All of them';

  create view api.triggered as select id, upper(name) as name from api.people;
  create trigger instead instead of insert on api.triggered for each row execute function api.stamp();
  create view api.ruled as select id, upper(name) as name from api.people;
  create rule instead as on update to api.ruled do instead nothing;
`;

let text: string;
beforeAll(async () => {
  text = await generateTypesOf(SQL, 'api,shop');
});

const functionType = (name: string): string | undefined => typeAt(text, 'api', 'Functions', name);

describe('functions over a row', () => {
  test('a computed field is one of the row, and known by its unnamed argument', () => {
    expect(typeAt(text, 'api', 'Tables', 'people', 'Row')).toBe(
      '{ id: number; name: string; boss_id: number | null; full_name: string; }',
    );
    expect(typeAt(text, 'api', 'Tables', 'people', 'Update')).toBe(
      '{ id?: number; name?: string; boss_id?: number | null; }',
    );
    expect(functionType('full_name')).toBe(
      '| { Args: { id: number | null; }; Returns: string | null; } ' +
        '| { Args: { "": Database["api"]["Tables"]["people"]["Row"]; }; Returns: string; }',
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

  test('what is neither a field nor a relationship within the schema is left out', () => {
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
      '{ Args: { a: number | null; b?: Database["api"]["CompositeTypes"]["pair"] | null; }; ' +
        'Returns: { x: number | null; y: string; }; }',
    ],
    ['pairs', '{ Args: never; Returns: Database["api"]["CompositeTypes"]["pair"][]; }'],
    ['secret', '{ Args: never; Returns: { id: number | null; word: string | null; }; }'],
    ['anything', undefined],
    ['any_named', '{ Args: { a: unknown; }; Returns: unknown; }'],
    ['orders', '{ Args: never; Returns: Database["shop"]["Tables"]["orders"]["Row"][]; }'],
    ['stamp', undefined],
    ['binary', undefined],
    ['records', '{ Args: never; Returns: Array<Record<string, unknown>>; }'],
    [
      'takes_person',
      '{ Args: { p: { id: number | null; name: string | null; boss_id: number | null; } | null; n: number | null; }; ' +
        'Returns: number | null; }',
    ],
    ['act', undefined],
  ])('%s', (name, type) => {
    expect(functionType(name)).toBe(type);
  });

  test('comments stand before the names', () => {
    expect(text).toContain('      /** All of them */\n      orders: {');
  });
});

test('relationships stay within a schema and tell one from many', () => {
  expect(typeAt(text, 'api', 'Tables', 'flats', 'Relationships')).toContain(
    '{ foreignKeyName: "flats_person_id_fkey"; columns: ["person_id"]; isOneToOne: true; ' +
      'referencedRelation: "people"; referencedColumns: ["id"]; }',
  );
  expect(typeAt(text, 'shop', 'Tables', 'orders', 'Relationships')).toBe('[]');
});

test('views that triggers or rules write take every column', () => {
  expect(typeAt(text, 'api', 'Views', 'triggered', 'Insert')).toBe('{ id?: number; name?: string | null; }');
  expect(typeAt(text, 'api', 'Views', 'ruled', 'Update')).toBe('{ id?: number; name?: string | null; }');
});

import { describe, expect, test } from 'vitest';
import { findRelation, type Relation } from '../../src/catalog/schema-cache.ts';
import { loadCache } from '../support/load-cache.ts';

function relation(name: string): Relation {
  const found = findRelation(cache, { schema: 'api', name });
  if (found === undefined) throw new Error(`no relation ${name}`);
  return found;
}

function flags(name: string): string {
  const { isInsertable, isUpdatable, isDeletable } = relation(name);
  return [isInsertable && 'insert', isUpdatable && 'update', isDeletable && 'delete'].filter(Boolean).join(' ');
}

const cache = await loadCache(`
    create schema api; create schema other;
    comment on schema api is 'The harbor';
    create table api.berth (id int primary key, name text);
    comment on table api.berth is 'A place';
    create table api.mooring (slot int, pier text, primary key (slot, pier));
    create table api.keyless (n int);
    create table api.log (id int, day int, primary key (id, day)) partition by range (day);
    create table api.log_low partition of api.log for values from (0) to (100);
    create table other.hidden (id int primary key);
    create sequence api.counter;
    create type api.spot as (lat numeric, lon numeric);
    create index by_name on api.berth (name);
    create view api.plain as select id, upper(name) as name from api.berth where id > 0;
    create view api.no_column as select upper(name) as name from api.berth;
    create view api.grouped as select name, count(*)::int as n from api.berth group by name;
    create view api.insert_only as select name, count(*)::int as n from api.berth group by name;
    create view api.all_by_trigger as select name, count(*)::int as n from api.berth group by name;
    create function other.noop() returns trigger language plpgsql as 'begin return new; end';
    create trigger ins instead of insert on api.insert_only for each row execute function other.noop();
    create trigger ins instead of insert or update or delete on api.all_by_trigger
      for each row execute function other.noop();
    create materialized view api.stored as select id, name from api.berth;
    create extension file_fdw;
    create server paper foreign data wrapper file_fdw;
    create foreign table api.far (name text) server paper options (filename '/dev/null');
    create extension postgres_fdw;
    create server remote foreign data wrapper postgres_fdw;
    create foreign table api.far_writable (id int) server remote;
  `);

describe('relations', () => {
  test('O130 tables, views, materialized views, foreign and partitioned tables are relations; partitions are not', () => {
    expect(new Map([...(cache.relations.get('api') ?? [])].map(([name, { kind }]) => [name, kind]))).toEqual(
      new Map([
        ['all_by_trigger', 'view'],
        ['berth', 'table'],
        ['far', 'foreignTable'],
        ['far_writable', 'foreignTable'],
        ['grouped', 'view'],
        ['insert_only', 'view'],
        ['keyless', 'table'],
        ['log', 'partitionedTable'],
        ['mooring', 'table'],
        ['no_column', 'view'],
        ['plain', 'view'],
        ['stored', 'materializedView'],
      ]),
    );
    expect([...cache.relations.keys()]).toEqual(['api']);
  });

  test('O131 INSTEAD OF triggers make a view writable for their commands', () => {
    expect(flags('grouped')).toBe('');
    expect(flags('insert_only')).toBe('insert');
    expect(flags('all_by_trigger')).toBe('insert update delete');
  });

  test('tables accept every command, views those that PostgreSQL can pass on, foreign tables those of their wrapper', () => {
    expect(['berth', 'log', 'plain', 'no_column', 'far', 'far_writable'].map(flags)).toEqual([
      'insert update delete',
      'insert update delete',
      'insert update delete',
      'delete',
      '',
      'insert update delete',
    ]);
  });

  test('O132 a materialized view accepts no writes', () => {
    expect(flags('stored')).toBe('');
  });

  test('O133 sorts the columns of a primary key by name', () => {
    expect(relation('mooring').primaryKey).toEqual(['pier', 'slot']);
    expect(relation('log').primaryKey).toEqual(['day', 'id']);
    expect(relation('keyless').primaryKey).toEqual([]);
  });

  test('decodes comments of relations and schemas', () => {
    expect(relation('berth').comment).toBe('A place');
    expect(relation('mooring').comment).toBeUndefined();
    expect([...cache.schemaComments]).toEqual([['api', 'The harbor']]);
  });
});

test('finds names with quotes, backslashes, blanks and capitals exactly as stored', async () => {
  const odd = 'Odd "Qu\\ay", {1}';
  const quoted = `"${odd.replaceAll('"', '""')}"`;
  const sql = `create schema ${quoted}; create table ${quoted}."Ta ble" ("Co lumn" int primary key);`;
  const { relations } = await loadCache(sql, { schemas: [odd], extraSearchPath: [odd] });
  expect([...(relations.get(odd)?.get('Ta ble')?.columns.keys() ?? [])]).toEqual(['Co lumn']);
});

test('O207 a missing schema, exposed or extra, fails the load', async () => {
  const failure = { code: '3F000', message: 'schema "nowhere" does not exist' };
  await expect(loadCache('', { schemas: ['nowhere'], extraSearchPath: [] })).rejects.toMatchObject(failure);
  const scope = { schemas: ['public'], extraSearchPath: ['nowhere'] };
  await expect(loadCache('', scope)).rejects.toMatchObject(failure);
});

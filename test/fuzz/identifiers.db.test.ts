// Names with arbitrary characters from end to end: URL → SQL → PostgreSQL → JSON, as tables, columns, aliases, keys and
// embeds.
import * as fc from 'fast-check';
import { escapeIdentifier, escapeLiteral } from 'pg';
import { expect, test } from 'vitest';
import { createDatabase, runRoleSql } from '../support/database.ts';
import { startServerProcess } from '../support/server-process.ts';
import { ask, urlOf, type Parameters } from '../support/http-client.ts';
import { quote } from '../support/generate/random-values.ts';
import { loginUri } from '../support/reading-server.ts';
import { use } from '../support/use.ts';

const AWKWARD = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  ' ',
  '  inner  ',
  '"',
  "'",
  '\\',
  '\\"',
  '%',
  '%41',
  'a.b',
  'a,b',
  'a:b',
  'a::b',
  '(',
  ')',
  '*',
  '...',
  '!inner',
  '->',
  '->>',
  '$1',
  '--',
  '/*',
  ';',
  'select',
  'order',
  'limit',
  'offset',
  'and',
  'or',
  'not',
  'columns',
  'on_conflict',
  'count',
  'rpc',
  '_1',
  '_2',
  'c1',
  'v',
  '_page',
  '.',
  '..',
  '/',
  '?',
  '&',
  '=',
  '+',
  '#',
  'x.order',
  'x.or',
  'not.and',
  'Größe',
  'größe',
  '🚤',
  'שלום',
  'é',
  'e\u0301',
  '\t',
  '\n',
  'a\nb',
  'null',
  'body',
  'ÿ'.repeat(31),
  '-',
  '1',
  '0a',
] as const;

const SHORT_NAMES = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 15 })
  .map((text) => text.replaceAll(/[\0\p{Surrogate}]/gu, ''))
  .filter((text) => text !== '');

const names: readonly string[] = [...new Set([...AWKWARD, ...fc.sample(SHORT_NAMES, { numRuns: 40, seed: 7 })])];

/**
 * Creates a table with the name, a column and a JSON key of that name, and a child table that references it by that
 * name.
 */
function tablesOf(name: string, index: number): string {
  const table = `api.${escapeIdentifier(name)}`;
  const column = escapeIdentifier(name);
  return `
    create table ${table} (pk int primary key, ${column} text, doc jsonb);
    insert into ${table} values (1, ${escapeLiteral(name)}, jsonb_build_object(${escapeLiteral(name)}, ${index}));
    create table api.child_${index} (id int primary key, ${column} int, constraint ${column} foreign key (${column}) references ${table});
    insert into api.child_${index} values (7, 1), (8, null);`;
}

const database = await use(createDatabase());
await runRoleSql(
  database.uri,
  `do $$ begin
       if not exists (select from pg_roles where rolname = 'web_anon') then create role web_anon nologin; end if;
       if not exists (select from pg_roles where rolname = 'rowhouse_gate') then create role rowhouse_gate login noinherit; end if;
     end $$;
     grant web_anon to rowhouse_gate;
     create schema api;
     grant usage on schema api to web_anon;
     ${names.map(tablesOf).join('\n')}
     grant select on all tables in schema api to web_anon;`,
);
const server = await use(
  startServerProcess({
    'db-uri': loginUri(database.uri),
    'db-schemas': 'api',
    'db-anon-role': 'web_anon',
    'log-level': 'crit',
  }),
);

async function read(relation: string, parameters: Parameters): Promise<unknown> {
  const { status, body } = await ask(server.port, { method: 'GET', url: urlOf(relation, parameters), headers: {} });
  return { status, rows: JSON.parse(body) as unknown };
}

/** Uses `JSON.parse`, which makes `__proto__` an ordinary key, unlike an object literal. */
function row(...entries: readonly (readonly [key: string, value: unknown])[]): unknown {
  return JSON.parse(`{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join()}}`);
}

const cases = names.map((name, index) => ({ name, index, shown: JSON.stringify(name) }));

test.each(cases)('R234 $shown as a table, column, alias and key', async ({ name, index }) => {
  const quoted = quote(name);
  const parameters: Parameters = [
    ['select', `pk,${quoted},k:doc->${quoted},doc->${quoted}`],
    [quoted, `eq.${name}`],
    [`doc->${quoted}`, `eq.${index}`],
    ['order', `${quoted}.desc,doc->${quoted}`],
    ['or', `(${quoted}.eq.${quote(name)},${quoted}.in.(${quote(name)}))`],
  ];
  const expected = row(['pk', 1], [name, name], ['k', index], [name, index]);
  expect(await read(name, parameters)).toEqual({ status: 200, rows: [expected] });
  expect(await read(name, [['select', `${quoted}:pk`]])).toEqual({ status: 200, rows: [row([name, 1])] });
});

/** `count(` is reserved for the aggregate, quoted or not (`reading.md` §3.2). */
const embeddable = cases.filter(({ name }) => name !== 'count');

test.each(embeddable)('R234 $shown as an embed, by column, alias and spread', async ({ name, index }) => {
  const quoted = quote(name);
  const child = `child_${index}`;
  const parent: Parameters = [
    ['select', `id,${quoted}(${quoted})`],
    [`${quoted}.${quoted}`, `eq.${name}`],
    [quoted, 'not.is.null'],
    ['order', `${quoted}(${quoted})`],
  ];
  expect(await read(child, parent)).toEqual({ status: 200, rows: [row(['id', 7], [name, row([name, name])])] });
  const children: Parameters = [
    ['select', `${quoted}:${child}!${quoted}(id)`],
    [`${quoted}.id`, 'gt.1'],
  ];
  expect(await read(name, children)).toEqual({ status: 200, rows: [row([name, [{ id: 7 }]])] });
  const spread: Parameters = [
    ['select', `id,...${quoted}!inner(${quoted}:pk)`],
    [`${quoted}.${quoted}`, `eq.${name}`],
  ];
  expect(await read(child, spread)).toEqual({ status: 200, rows: [row(['id', 7], [name, 1])] });
});

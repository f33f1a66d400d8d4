// Functions whose row type changes while statements that read them stay prepared, before the schema cache is reloaded.
// On failure PostgreSQL may end all sessions of the cluster, so the file has one for itself.
import { expect, test } from 'vitest';
import { withConnection } from '../../../tools/embedded/script/sql-session.ts';
import { startOwnPostgres } from '../../support/own-postgres.ts';
import { runSql } from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { startLocalServer } from '../../support/local-server.ts';
import { use } from '../../support/use.ts';

const ROLES = `
  create role gate login noinherit;
  create role anon;
  grant anon to gate;
  create schema api;
  grant usage on schema api to anon;
  create table api.parent (id int primary key);
  insert into api.parent values (1);
  grant select on api.parent to anon;
`;

interface Case {
  readonly name: string;
  readonly path: string;
  readonly accept: string;
  readonly change: string;
  readonly expected: string;
}

const TO_INT = 'alter table api.T alter a type int using a::int';
const TO_TEXT = 'alter table api.T alter b type text using b::text';
const SWAP =
  'alter table api.T rename a to c; alter table api.T rename b to a; alter table api.T rename c to b; alter table api.T add z int default 3';
const [JSON_TYPE, NDJSON, CSV] = ['application/json', 'application/x-ndjson', 'text/csv'];
const OBJECT = 'application/vnd.svc.object+json';

/** `F` is a function that PostgreSQL puts into the statement, `G` one that it does not, `T` their table. */
const CASES: readonly Case[] = [
  ...['F', 'G'].flatMap((name): Case[] => [
    { name: 'NDJSON', path: `/rpc/${name}`, accept: NDJSON, change: TO_INT, expected: '{"id":1,"a":7,"b":5}\n' },
    { name: 'NDJSON', path: `/rpc/${name}`, accept: NDJSON, change: TO_TEXT, expected: '{"id":1,"a":"7","b":"5"}\n' },
    { name: 'CSV', path: `/rpc/${name}`, accept: CSV, change: TO_INT, expected: 'id,a,b\n1,7,5' },
    { name: 'CSV', path: `/rpc/${name}`, accept: CSV, change: SWAP, expected: 'id,b,a,z\n1,7,5,3' },
    { name: 'JSON', path: `/rpc/${name}`, accept: JSON_TYPE, change: TO_INT, expected: '[{"id":1,"a":7,"b":5}]' },
    {
      name: 'JSON',
      path: `/rpc/${name}`,
      accept: JSON_TYPE,
      change: SWAP,
      expected: '[{"id":1,"b":"7","a":5,"z":3}]',
    },
    {
      name: 'a filter',
      path: `/rpc/${name}?a=neq.9`,
      accept: JSON_TYPE,
      change: TO_INT,
      expected: '[{"id":1,"a":7,"b":5}]',
    },
    {
      name: 'a filter',
      path: `/rpc/${name}?b=neq.9&select=b`,
      accept: JSON_TYPE,
      change: TO_TEXT,
      expected: '[{"b":"5"}]',
    },
    {
      name: 'an order',
      path: `/rpc/${name}?order=a&select=a`,
      accept: NDJSON,
      change: TO_INT,
      expected: '{"a":7}\n',
    },
    {
      name: 'an object',
      path: `/rpc/${name}?b=eq.5`,
      accept: OBJECT,
      change: TO_TEXT,
      expected: '{"id":1,"a":"7","b":"5"}',
    },
    {
      name: 'an aggregate',
      path: `/rpc/${name}?select=b.max()`,
      accept: JSON_TYPE,
      change: TO_TEXT,
      expected: '[{"max":"5"}]',
    },
  ]),
  ...['K', 'L'].flatMap((name): Case[] => [
    {
      name: 'an embed',
      path: `/parent?select=id,${name}(a,b)&${name}.a=neq.9`,
      accept: JSON_TYPE,
      change: TO_INT,
      expected: '[{"id":1,"KIDS":[{"a":7,"b":5}]}]',
    },
    {
      name: 'a spread',
      path: `/parent?select=id,...${name}(b)`,
      accept: NDJSON,
      change: TO_TEXT,
      expected: '{"id":1,"b":["5"]}\n',
    },
    {
      name: 'a computed column of an embed',
      path: `/parent?select=id,${name}(twice)`,
      accept: JSON_TYPE,
      change: SWAP,
      expected: '[{"id":1,"KIDS":[{"twice":2}]}]',
    },
  ]),
  {
    name: 'a composite type',
    path: '/rpc/C',
    accept: NDJSON,
    change: `
      alter type api.R alter attribute a type int;
      create or replace function api.C() returns setof api.R language sql stable as 'select 1, 7'`,
    expected: '{"id":1,"a":7}\n',
  },
  {
    name: 'a composite type',
    path: '/rpc/C?a=neq.9',
    accept: CSV,
    change: `
      alter type api.R rename attribute a to b;
      alter type api.R rename attribute id to a;`,
    expected: 'a,b\n1,7',
  },
];

/** Each case has its own table, type and functions; the letters in its texts are their names. */
function nameOf(text: string, index: number): string {
  return text.replaceAll(/\b(?:T|F|G|K|L|C|R)\b|KIDS/gu, (letter) => `${letter.toLowerCase()}_${index}`);
}

function setUp({ path }: Case, index: number): string {
  const kids = /\bK\b/u.test(path) ? 'sql' : 'plpgsql';
  return nameOf(
    `
    create table api.T (id int, dropped int, a text, b int);
    alter table api.T drop dropped;
    insert into api.T values (1, '7', 5);
    create type api.R as (id int, a text);
    create function api.F() returns setof api.T language sql stable as 'select * from api.T';
    create function api.G() returns setof api.T language plpgsql stable as
      'begin return query select * from api.T; end';
    create function api.K(api.parent) returns setof api.T language sql stable as 'select * from api.T';
    create function api.L(api.parent) returns setof api.T language plpgsql stable as
      'begin return query select * from api.T; end';
    create function api.twice(api.T) returns int language sql stable as 'select $1.id * 2';
    create function api.C() returns setof api.R language sql stable as 'select 1, ''7''::text';
    grant select on api.T to anon;`,
    index,
  ).replaceAll('KIDS', kids);
}

const postgres = await use(startOwnPostgres());
await runSql(postgres.uri, [ROLES, ...CASES.map(setUp)].join('\n'));
const server = await use(
  startLocalServer(
    { uri: `postgresql://gate@127.0.0.1:${postgres.port}/postgres`, anon: 'anon' },
    { 'db-pool': 1, 'db-aggregates-enabled': true },
  ),
);

async function read({ path, accept }: Pick<Case, 'path' | 'accept'>): Promise<readonly [number, string]> {
  const { status, text } = await server.get(path, { headers: { accept } });
  return [status, text.replaceAll(/\s*\n\s*(?=\{)/gu, accept === NDJSON ? '\n' : '')];
}

for (const [index, one] of CASES.entries()) {
  const name = `${one.name} of ${one.path} is right after: ${one.change.trim().slice(0, 50)}`;
  test(name, async () => {
    const request = { path: nameOf(one.path, index), accept: one.accept };
    const kids = /_\w+\(|\.\.\./u.test(request.path) ? (/[kl]_\d+/u.exec(request.path)?.[0] ?? '') : '';
    for (let times = 0; times < 3; times += 1) expect((await read(request))[0]).toBe(200);
    await runSql(postgres.uri, nameOf(one.change, index));
    const expected = one.expected.replace('KIDS', kids);
    for (let times = 0; times < 3; times += 1) expect(await read(request)).toEqual([200, expected]);
  });
}

const RACES = CASES.filter(({ change, path }) => change !== SWAP && path.startsWith('/rpc/F'));

test.each(RACES.map((one, index) => [index, one] as const))(
  'a change that commits while the statement waits for it, %i',
  async (index, { path, accept, change, expected }) => {
    const place = CASES.length + index;
    await runSql(postgres.uri, setUp(RACES[index] ?? CASES[0]!, place));
    await server.reload();
    const request = { path: nameOf(path, place), accept };
    expect((await read(request))[0]).toBe(200);
    await withConnection(postgres.uri, async (client) => {
      await client.query(`begin; ${nameOf(change, place)}`);
      const response = read(request);
      await until(async () => {
        const waiting = await client.query(
          `select from pg_stat_activity where usename = 'gate' and wait_event_type = 'Lock'`,
        );
        return waiting.rows.length > 0;
      });
      await client.query('commit');
      expect(await response).toEqual([200, expected]);
    });
  },
);

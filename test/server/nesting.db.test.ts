// Deeply nested input is rejected with 400 at a limit, before it comes near the stack limit of PostgreSQL.
import { describe, expect, test } from 'vitest';
import { useHarbor } from '../support/harbor.ts';
import { type LocalServer, startLocalServer, type RequestParts } from '../support/local-server.ts';
import { use } from '../support/use.ts';

const harbor = await useHarbor();

await harbor.sql(`create table api.thing (id int, j json, b jsonb, a int[], words tsvector);
    insert into api.thing values (1, '{"a": 1}', '{"a": 1}', '{1}', 'fox');
    grant select, insert, update on api.thing to ${harbor.anon};
    create function api.echo(j json) returns json language sql immutable as 'select $1';
    create function api.pass(json) returns json language sql immutable as 'select $1'`);
const server = await use(startLocalServer(harbor, { 'db-tx-end': 'rollback' }));
const shallow = await use(startLocalServer(harbor, { 'server-max-json-depth': 3 }));

function arrays(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

function objects(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

function json(body: string, method = 'POST'): RequestParts {
  return { method, body, headers: { 'Content-Type': 'application/json' } };
}

function form(body: string): RequestParts {
  return { method: 'POST', body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
}

async function errorOf(to: LocalServer, target: string, parts?: RequestParts): Promise<unknown> {
  const { status, text } = await to.get(target, parts);
  const { code, details, hint, message } = JSON.parse(text) as Record<string, unknown>;
  return { status, code, message, details, hint };
}

function refused(details: string, option: string): unknown {
  const message = 'The request exceeds a limit of this server';
  return { status: 400, code: 'SVC129', message, details, hint: `The operator sets this limit with ${option}` };
}

const bodyBeyond = (depth: number): unknown =>
  refused(`arrays and objects of a body nest up to ${depth} levels deep`, 'server-max-json-depth');

describe('a body', () => {
  test.each<[string, (depth: number) => readonly [string, RequestParts]]>([
    ['of an insert', (n) => ['/thing', json(`{"j":${arrays(n - 1)}}`)]],
    ['of an insert of many', (n) => ['/thing', json(`[{"b":1},{"b":${objects(n - 2)}}]`)]],
    ['of an insert of named columns', (n) => ['/thing?columns=b', json(`[{"b":${arrays(n - 2)}}]`)]],
    ['of an update', (n) => ['/thing?id=eq.1', json(`{"b":${arrays(n - 1)}}`, 'PATCH')]],
    ['of arguments', (n) => ['/rpc/echo', json(`{"j":${objects(n - 1)}}`)]],
    ['that is an argument itself', (n) => ['/rpc/pass', json(objects(n))]],
    ['of form-encoded arguments', (n) => ['/rpc/echo', form(`j=${arrays(n)}`)]],
  ])('%s nests up to 512 levels deep', async (_name, make) => {
    expect((await server.get(...make(512))).status).toBeLessThan(300);
    expect(await errorOf(server, ...make(513))).toEqual(bodyBeyond(512));
    expect(await errorOf(server, ...make(20_000))).toEqual(bodyBeyond(512));
  });

  test('nests as deep as the operator allows', async () => {
    expect((await shallow.get('/rpc/echo', json('{"j":[[1]]}'))).text).toBe('[[1]]');
    expect(await errorOf(shallow, '/rpc/echo', json('{"j":[[{}]]}'))).toEqual(bodyBeyond(3));
  });

  test('that is not JSON is reported as such up to the limit', async () => {
    expect(await errorOf(server, '/thing', json('{"j":[[['))).toMatchObject({ status: 400, code: 'SVC102' });
    expect(await errorOf(server, '/thing', json('['.repeat(20_000)))).toEqual(bodyBeyond(512));
  });

  test('brackets in strings do not count as nesting', async () => {
    expect((await server.get('/thing', json(String.raw`{"j":"\"${'[{'.repeat(5000)}"}`))).status).toBe(201);
    expect((await server.get('/thing?columns=j', json(String.raw`{"j":"\"${'[{'.repeat(5000)}"}`))).status).toBe(201);
  });
});

test.each([
  ['select=b@', '->a'],
  ['select=j@', '->a'],
  ['b@=eq.1', '->a'],
  ['order=b@', '->a'],
  ['or=(b@.eq.1)', '->0'],
])('a path of 5000 steps in %s is rejected', async (query, step) => {
  expect(await errorOf(server, `/thing?${query.replace('@', step.repeat(5000))}`)).toEqual(
    refused('a path into a JSON value has up to 100 steps', 'url-max-path-steps'),
  );
});

test.each([
  ['b=cs.@', '['],
  ['b=eq.@', '{"a":'],
  ['b=in.("@")', '['],
  ['b=eq(any).{"@"}', '['],
  ['or=(b.cs."@")', '['],
  ['words=fts.@', '('],
  ['words=fts.@', '!('],
])('20000 levels in %s are rejected', async (query, level) => {
  const target = `/thing?${query.replace('@', encodeURI(level).repeat(Math.min(20_000, 90_000 / encodeURI(level).length)))}`;
  expect(await errorOf(server, target)).toEqual(refused('a value has up to 4000 opening brackets', 'url-max-brackets'));
});

test('20000 levels in an argument are rejected', async () => {
  expect(await errorOf(server, `/rpc/echo?j=${'['.repeat(20_000)}`)).toEqual(
    refused('a value has up to 4000 opening brackets', 'url-max-brackets'),
  );
});

test.each<[string, string, string, RequestParts?]>([
  ['an array of seven dimensions', '/thing?a=cs.{{{{{{{1}}}}}}}', '54000'],
  ['an array of seven dimensions in a body', '/thing', '54000', json(`{"a":${arrays(7)}}`)],
  ['a search text of a hundred negations', `/thing?words=fts.${'!'.repeat(100)}fox`, 'XX000'],
  ['a web search of a hundred negations', `/thing?words=wfts.${'-'.repeat(100)}fox`, 'XX000'],
])('%s is a client error, not a server error', async (_name, target, code, parts) => {
  expect(await errorOf(server, target, parts)).toMatchObject({ status: 400, code });
});

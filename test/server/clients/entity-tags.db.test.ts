// Entity tags and `If-None-Match` (`beyond.md` §1.7).
import { describe, expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { bearer, startLocalServer } from '../../support/local-server.ts';
import { use } from '../../support/use.ts';

const harbor = await useHarbor();
const ON = { 'server-etags': true };

await harbor.sql(`
    create table api.note (id int primary key, body text);
    insert into api.note values (1, 'a'), (2, 'b');
    create view api.many as select n as id, repeat('x', 100) as filler from generate_series(1, 20000) n;
    create table api.own_note (id int primary key, owner text, body text);
    insert into api.own_note values (1, 'ann', 'secret of ann'), (2, 'bob', 'secret of bob');
    alter table api.own_note enable row level security;
    create policy own on api.own_note using (owner = current_setting('request.jwt.claims', true)::json->>'sub');
    grant select on api.own_note to ${harbor.anon}, ${harbor.user};
    create table api.closed_note (id int primary key, body text);
    insert into api.closed_note values (1, 'closed');
    grant select on api.closed_note to ${harbor.user};
    create function api.tagged() returns text language plpgsql stable as $$ begin
      perform set_config('response.headers', '[{"ETag": "\\"own\\""}]', true);
      return 'x';
    end $$;
    grant select on api.note, api.many to ${harbor.anon}, ${harbor.user};
  `);
const server = await use(startLocalServer(harbor, ON));
const foreign = await use(startLocalServer(harbor, { ...ON, dialect: 'postgrest', extensions: 'etag' }));
const off = await use(startLocalServer(harbor));
const unknown = await use(startLocalServer(harbor, { ...ON, extensions: 'none' }));

const ROW = '/note?id=eq.1';

async function tagOf(target: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const answer = await server.get(target, { headers });
  expect(answer.headers.etag, `${answer.status} ${answer.text}`).toMatch(/^"[\w-]{22}(?:\.\d+\.\d+\.\d+-\d+)?"$/u);
  return answer.headers.etag ?? '';
}

describe('tags', () => {
  test('B20 a tag is stable, strong, and changes with the bytes', async () => {
    const first = await tagOf(ROW);
    expect(await tagOf(ROW)).toBe(first);
    await harbor.sql(`update api.note set body = 'c' where id = 1`);
    const second = await tagOf(ROW);
    expect(second).not.toBe(first);
    await harbor.sql(`update api.note set body = 'a' where id = 1`);
  });

  test('B20 a tag depends on URL, format, range and role', async () => {
    const tags = [
      await tagOf('/note?order=id'),
      await tagOf('/note?order=id&limit=2'),
      await tagOf('/note?order=id', { Accept: 'text/csv' }),
      await tagOf('/note?order=id', { Prefer: 'count=exact' }),
      await tagOf('/note?order=id', bearer({ role: harbor.user })),
    ];
    expect(new Set(tags).size).toBe(tags.length);
  });

  test('B20 status 206, functions and descriptions have tags as well', async () => {
    const { status, headers } = await server.get('/note?limit=1', { headers: { Prefer: 'count=exact' } });
    expect([status, typeof headers.etag]).toEqual([206, 'string']);
    await tagOf('/rpc/who');
    await tagOf('/');
  });

  test('B20 HEAD, errors, writes, QUERY and streamed bodies have no tag', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answers = [
      await server.get(ROW, { method: 'HEAD' }),
      await server.get('/nothing'),
      await server.get('/rpc/mark', { method: 'POST' }),
      await server.get('/rpc/who', { method: 'POST' }),
      await server.get('/note', { method: 'QUERY', headers: form, body: 'id=eq.1' }),
      await server.get('/many', { headers: { Accept: 'application/x-ndjson' } }),
    ];
    for (const { headers } of answers) expect(headers.etag).toBeUndefined();
  });

  test('B20 a tag from the database takes precedence', async () => {
    const answer = await server.get('/rpc/tagged');
    expect(answer.headers.etag).toBe('"own"');
    expect((await server.get('/rpc/tagged', { headers: { 'If-None-Match': '"own"' } })).status).toBe(304);
  });

  test('B20 scripts of other origins see the tag', async () => {
    const { headers } = await server.get(ROW, { headers: { Origin: 'http://a.test' } });
    expect(headers['access-control-expose-headers']).toContain('ETag');
  });
});

describe('If-None-Match', () => {
  test('B20 a known representation is 304 without a body, with the headers of RFC 9110', async () => {
    const tag = await tagOf(ROW);
    for (const value of [tag, `W/${tag}`, `"x", ${tag}`, `"a,b" ,W/${tag}`, '*']) {
      const answer = await server.get(ROW, { headers: { 'If-None-Match': value, Prefer: 'count=none' } });
      expect([answer.status, answer.text, answer.headers.etag], value).toEqual([304, '', tag]);
      expect(answer.headers['content-location']).toBe(ROW);
      expect(answer.headers.vary).toContain('Accept');
      expect(answer.headers['content-type']).toBeUndefined();
      expect(answer.headers['content-range']).toBeUndefined();
    }
  });

  test('B20 other values have no effect', async () => {
    const tag = await tagOf(ROW);
    for (const value of ['"x"', tag.slice(1, -1), '', tag.toUpperCase(), `"${'a'.repeat(5000)}`])
      expect((await server.get(ROW, { headers: { 'If-None-Match': value } })).status, value).toBe(200);
  });

  test('B20 a tag of one role is not one of another', async () => {
    const tag = await tagOf(ROW, bearer({ role: harbor.user }));
    const answer = await server.get(ROW, { headers: { 'If-None-Match': tag } });
    expect([answer.status, answer.text]).toEqual([200, '[{"id":1,"body":"a"}]']);
  });

  test('B20 nobody gets 304 for something else than what they would see', async () => {
    const asPerson = (sub: string, role = harbor.user): Readonly<Record<string, string>> => bearer({ role, sub });
    const statusOf = async (target: string, tag: string, headers: Readonly<Record<string, string>>): Promise<number> =>
      (await server.get(target, { headers: { ...headers, 'If-None-Match': tag } })).status;
    for (const target of ['/own_note?order=id', '/own_note?id=eq.1', '/own_note?id=eq.1&select=id']) {
      const ofAnn = await tagOf(target, asPerson('ann'));
      expect(await statusOf(target, ofAnn, asPerson('ann'))).toBe(304);
      expect(await statusOf(target, ofAnn, asPerson('bob'))).toBe(200);
      expect(await statusOf(target, ofAnn, asPerson('ann', harbor.anon))).toBe(200);
      // Both see the same rows then, but only those who may see them.
      await harbor.sql(`update api.own_note set owner = 'bob' where id = 1`);
      expect(await statusOf(target, ofAnn, asPerson('ann'))).toBe(200);
      await harbor.sql(`update api.own_note set owner = 'ann' where id = 1`);
    }
    const closed = await tagOf('/closed_note?id=eq.1', asPerson('ann'));
    for (const tag of [closed, '*']) {
      const answer = await server.get('/closed_note?id=eq.1', { headers: { 'If-None-Match': tag } });
      expect([answer.status, answer.headers.etag]).toStrictEqual([401, undefined]);
    }
    expect(await statusOf('/closed_note?id=eq.1', closed, { Authorization: 'Bearer x' })).toBe(401);
  });

  test('B20 errors stay errors, and POST ignores the header', async () => {
    expect((await server.get('/nothing', { headers: { 'If-None-Match': '*' } })).status).toBe(404);
    const post = await server.get('/rpc/who', { method: 'POST', headers: { 'If-None-Match': '*' } });
    expect(post.status).toBe(200);
  });

  test('B20 HEAD matches any representation only', async () => {
    const tag = await tagOf(ROW);
    expect((await server.get(ROW, { method: 'HEAD', headers: { 'If-None-Match': tag } })).status).toBe(200);
    expect((await server.get(ROW, { method: 'HEAD', headers: { 'If-None-Match': '*' } })).status).toBe(304);
  });

  test('B20 the dialect postgrest can have tags', async () => {
    const { headers } = await foreign.get(ROW);
    const again = await foreign.get(ROW, { headers: { 'If-None-Match': headers.etag ?? '' } });
    expect(again.status).toBe(304);
  });
});

test('B54 without the option or the extension there are no tags, and the header has no effect', async () => {
  for (const each of [off, unknown]) {
    const answer = await each.get(ROW, { headers: { 'If-None-Match': '*' } });
    expect([answer.status, answer.headers.etag]).toEqual([200, undefined]);
  }
});

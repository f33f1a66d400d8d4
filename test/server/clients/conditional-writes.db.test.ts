// `If-Match` and `If-None-Match` on writes (`beyond.md` §1.7).
import { describe, expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import {
  type Answer,
  bearer,
  type LocalServer,
  type RequestParts,
  startLocalServer,
} from '../../support/local-server.ts';
import { use } from '../../support/use.ts';

/** Races of two writers. */
const RACES = Number(process.env['ROWHOUSE_RACES'] ?? 200);
const RACES_TIMEOUT_MS = 30_000 + 60 * RACES;

const harbor = await useHarbor();

const { anon, user } = harbor;
await harbor.sql(`
    create table api.note (id int primary key, body text, size int check (size > 0), hidden boolean default false);
    create table api.pair (a int, b text, body text, primary key (a, b));
    create table api.split (id int primary key, body text) partition by range (id);
    create table api.split_low partition of api.split for values from (0) to (100);
    create table api.loose (id int, body text);
    create table api.base (id int primary key, body text);
    create table api.derived () inherits (api.base);
    create view api.shown as select * from api.note;
    create table api.partial (id int primary key, body text, secret text);
    create table api.meter (id int primary key, value int);
    alter table api.note enable row level security;
    create policy visible on api.note using (not hidden);
    insert into api.partial values (1, 'a', 's');
    insert into api.base values (1, 'a');
    insert into api.split values (1, 'a');
    insert into api.pair values (1, 'x,"y"', 'a');
    grant select, insert, update, delete on api.note, api.pair, api.split, api.loose, api.base, api.shown, api.meter
      to ${anon}, ${user};
    grant select (id, body), update (body) on api.partial to ${anon}`);
const server = await use(startLocalServer(harbor, { 'server-etags': true, 'db-tx-end': 'commit-allow-override' }));
const untagged = await use(startLocalServer(harbor));
const unknown = await use(startLocalServer(harbor, { 'server-etags': true, extensions: 'none' }));
const foreign = await use(startLocalServer(harbor, { 'server-etags': true, dialect: 'postgrest', extensions: 'etag' }));

async function fresh(): Promise<void> {
  await harbor.sql(`delete from api.note; insert into api.note values (1, 'a', 1), (2, 'b', 2);
    insert into api.note values (9, 'h', 9, true)`);
}

async function tagOf(target: string, parts?: RequestParts): Promise<string> {
  const answer = await server.get(target, parts);
  expect(answer.headers.etag, `${answer.status} ${answer.text}`).toMatch(/^"[\w-]{22}\.\d+\.\d+\.\d+-\d+"$/u);
  return answer.headers.etag ?? '';
}

interface Write {
  readonly match?: string;
  readonly noneMatch?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly at?: LocalServer;
}

function write(
  method: string,
  target: string,
  { match, noneMatch, body, headers, at = server }: Write,
): Promise<Answer> {
  return at.get(target, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(match === undefined ? {} : { 'If-Match': match }),
      ...(noneMatch === undefined ? {} : { 'If-None-Match': noneMatch }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const codeOf = ({ status, text }: Answer): unknown =>
  status < 300 ? status : [status, (JSON.parse(text) as { code: string }).code, ...(status >= 500 ? [text] : [])];
const FAILED = [412, 'SVC133'];
const UNKNOWN = [400, 'SVC127'];
const ROW = '/note?id=eq.1';

async function bodies(): Promise<unknown> {
  return (await harbor.query('select id, body from api.note order by id')).map((row) => row.join(' '));
}

describe('If-Match', () => {
  test.each(['PATCH', 'PUT'])('B21 %s writes the row in the version that was read, once', async (method) => {
    await fresh();
    const match = await tagOf(ROW);
    const body = { id: 1, body: 'new', size: 5 };
    expect(codeOf(await write(method, ROW, { match, body }))).toBe(204);
    const failed = await write(method, ROW, { match, body: { ...body, body: 'again' } });
    expect([failed.status, JSON.parse(failed.text)]).toStrictEqual([
      412,
      {
        code: 'SVC133',
        message: 'The row has changed since it was read, or does not exist',
        details: 'Nothing was changed',
        hint: 'Read the row again by its primary key, and repeat the request with its new ETag',
      },
    ]);
    expect(await bodies()).toStrictEqual(['1 new', '2 b', '9 h']);
    expect(codeOf(await write(method, ROW, { match: await tagOf(ROW), body }))).toBe(204);
  });

  test('B21 DELETE removes the row in the version that was read', async () => {
    await fresh();
    const match = await tagOf(ROW);
    await harbor.sql(`update api.note set body = body where id = 1`);
    expect(codeOf(await write('DELETE', ROW, { match }))).toStrictEqual(FAILED);
    expect(codeOf(await write('DELETE', ROW, { match: await tagOf(ROW) }))).toBe(204);
    expect(codeOf(await write('DELETE', ROW, { match }))).toStrictEqual(FAILED);
    expect(await bodies()).toStrictEqual(['2 b', '9 h']);
  });

  test('B21 any of several tags may match, whatever representation they come from', async () => {
    await fresh();
    const csv = await tagOf(ROW, { headers: { Accept: 'text/csv' } });
    const part = await tagOf('/note?select=body&id=eq.1', { headers: bearer({ role: harbor.user }) });
    const other = await tagOf('/note?id=eq.2');
    expect(codeOf(await write('PATCH', ROW, { match: `"x", ${other}`, body: { body: 'n' } }))).toStrictEqual(FAILED);
    expect(codeOf(await write('PATCH', ROW, { match: `W/${csv}`, body: { body: 'n' } }))).toStrictEqual(FAILED);
    expect(codeOf(await write('PATCH', ROW, { match: `"x",${part} , ${other}`, body: { body: 'n' } }))).toBe(204);
    expect(codeOf(await write('PATCH', ROW, { match: csv, body: { body: 'm' } }))).toStrictEqual(FAILED);
    for (const match of ['"x"', 'x', '', '"a.1.1.0-1"', `"a.1.1.0-1') or true --"`])
      expect(codeOf(await write('PATCH', ROW, { match, body: { body: 'm' } })), match).toStrictEqual(FAILED);
  });

  test('B21 * demands that the row exists', async () => {
    await fresh();
    for (const [method, body] of [
      ['PATCH', { body: 'n' }],
      ['PUT', { id: 1, body: 'p', size: 1 }],
      ['DELETE', undefined],
    ] as const)
      expect(codeOf(await write(method, ROW, { match: '*', body })), method).toBe(204);
    for (const [method, body] of [
      ['PATCH', { body: 'n' }],
      ['PUT', { id: 1, body: 'p', size: 1 }],
      ['DELETE', undefined],
    ] as const)
      expect(codeOf(await write(method, ROW, { match: '*', body })), method).toStrictEqual(FAILED);
    // A row that the role cannot see does not exist.
    expect(codeOf(await write('PATCH', '/note?id=eq.9', { match: '*', body: { body: 'n' } }))).toStrictEqual(FAILED);
    expect(await bodies()).toStrictEqual(['2 b', '9 h']);
  });

  test('B21 holds for representations, single objects, empty changes and rollbacks', async () => {
    await fresh();
    const match = await tagOf(ROW);
    const shown = { Prefer: 'return=representation', Accept: 'application/vnd.pgrst.object+json' };
    expect(codeOf(await write('PATCH', ROW, { match, body: {} }))).toBe(204);
    expect(codeOf(await write('PATCH', ROW, { match: '*', body: {} }))).toBe(204);
    const tried = { Prefer: 'tx=rollback' };
    expect(codeOf(await write('PATCH', ROW, { match, body: { body: 'n' }, headers: tried }))).toBe(204);
    const answer = await write('PATCH', `${ROW}&select=body`, { match, body: { body: 'n' }, headers: shown });
    expect([answer.status, answer.text]).toStrictEqual([200, '{"body":"n"}']);
    expect(codeOf(await write('PATCH', ROW, { match, body: { body: 'n' }, headers: shown }))).toStrictEqual(FAILED);
    expect(codeOf(await write('PATCH', ROW, { match, body: {} }))).toStrictEqual(FAILED);
    const put = { id: 1, body: 'p', size: 1 };
    const replaced = await write('PUT', ROW, {
      match: await tagOf(ROW),
      body: put,
      headers: { Prefer: 'return=representation' },
    });
    expect([replaced.status, replaced.text]).toStrictEqual([200, '[{"id":1,"body":"p","size":1,"hidden":false}]']);
    expect(codeOf(await write('PUT', ROW, { match, body: { ...put, id: 2 } }))).toStrictEqual([400, 'SVC115']);
  });

  test('B21 conditions are checked before constraints', async () => {
    await fresh();
    const match = await tagOf(ROW);
    await harbor.sql(`update api.note set body = 'z' where id = 1`);
    const body = { id: 1, size: -1 };
    expect(codeOf(await write('PATCH', ROW, { match, body }))).toStrictEqual(FAILED);
    expect(codeOf(await write('PUT', ROW, { match, body }))).toStrictEqual(FAILED);
    expect(codeOf(await write('PUT', ROW, { noneMatch: '*', body }))).toStrictEqual(FAILED);
    expect(codeOf(await write('PUT', ROW, { match: '*', body }))).toStrictEqual([400, '23514']);
  });

  test('B21 works for composite keys and partitioned tables', async () => {
    const pair = `/pair?a=eq.1&b=eq.x,%22y%22`;
    const match = await tagOf(pair);
    expect(codeOf(await write('PATCH', pair, { match, body: { body: 'n' } }))).toBe(204);
    expect(codeOf(await write('PATCH', pair, { match, body: { body: 'n' } }))).toStrictEqual(FAILED);
    const split = await tagOf('/split?id=eq.1');
    for (const expected of [204, FAILED]) {
      const answer = await write('PUT', '/split?id=eq.1', { match: split, body: { id: 1, body: 'n' } });
      expect(codeOf(answer)).toStrictEqual(expected);
    }
  });

  test.each([
    ['several rows', '/note?id=gt.0'],
    ['no filter', '/note'],
    ['a list of keys', '/note?id=in.(1)'],
    ['a further filter', '/note?id=eq.1&body=eq.a'],
    ['a tree', '/note?and=(id.eq.1)'],
    ['a part of the key', '/pair?a=eq.1'],
    ['a view', '/shown?id=eq.1'],
    ['a table without key', '/loose?id=eq.1'],
    ['a table with heirs', '/base?id=eq.1'],
  ])('B21 no version is known for %s', async (_, target) => {
    await fresh();
    for (const match of ['*', '"x.1.1.0-1"']) {
      expect(codeOf(await write('PATCH', target, { match, body: { body: 'n' } }))).toStrictEqual(UNKNOWN);
      expect(codeOf(await write('DELETE', target, { match }))).toStrictEqual(UNKNOWN);
    }
    expect((await server.get(target)).headers.etag ?? '').not.toContain('.');
  });

  test('B21 no version is known for the rows of an array with match', async () => {
    await fresh();
    const body = [{ id: 1, body: 'n' }];
    for (const target of ['/note?match=id&id=eq.1', '/note?match=id'])
      expect(codeOf(await write('PATCH', target, { match: '*', body })), target).toStrictEqual(UNKNOWN);
    expect(await bodies()).toStrictEqual(['1 a', '2 b', '9 h']);
  });

  test('B21 takes part in batches, which see their own changes', async () => {
    await fresh();
    const match = await tagOf(ROW);
    const patch = { method: 'PATCH', path: ROW, headers: { 'If-Match': match }, body: { body: 'n' } };
    const headers = { 'Content-Type': 'application/vnd.svc.batch+json' };
    const twice = await server.get('/', { method: 'POST', headers, body: JSON.stringify([patch, patch]) });
    expect([twice.status, JSON.parse(twice.text)]).toMatchObject([412, { code: 'SVC133', request: 1 }]);
    expect(await bodies()).toContain('1 a');
    const once = await server.get('/', { method: 'POST', headers, body: JSON.stringify([patch]) });
    expect(JSON.parse(once.text)).toMatchObject([{ status: 204 }]);
  });

  test(
    `B21 of two writers with the same tag, one succeeds, ${RACES} times`,
    { timeout: RACES_TIMEOUT_MS },
    async () => {
      const pairs = [
        ['PATCH', 'PATCH'],
        ['PUT', 'PUT'],
        ['PATCH', 'PUT'],
        ['PATCH', 'DELETE'],
      ] as const;
      await harbor.sql(`insert into api.meter select n, 0 from generate_series(1, ${RACES}) n`);
      // Reading the tags one by one would take longer than the races.
      const rows = await harbor.query(`select id, '"x.' || tableoid || '.' || xmin || '.' ||
      translate(ctid::text, ',()', '-') || '"' from api.meter`);
      const versions = new Map(rows.map(([id, tag]) => [Number(id), String(tag)]));
      expect(await tagOf('/meter?id=eq.1')).toContain(versions.get(1)?.slice(2));
      const race = async (id: number): Promise<readonly number[]> => {
        const target = `/meter?id=eq.${id}`;
        const match = versions.get(id) ?? '';
        const methods = pairs[id % pairs.length] ?? pairs[0];
        const answers = await Promise.all(
          methods.map((method, writer) =>
            write(method, target, { match, ...(method !== 'DELETE' && { body: { id, value: writer } }) }),
          ),
        );
        return answers.map(({ status }) => status).toSorted((a, b) => a - b);
      };
      const ids = Array.from({ length: RACES }, (_, index) => index + 1);
      for (let at = 0; at < ids.length; at += 50) {
        const chunk = ids.slice(at, at + 50);
        expect(await Promise.all(chunk.map(race))).toStrictEqual(chunk.map(() => [204, 412]));
      }
      // A row that was not deleted has been written once.
      const [[left]] = (await harbor.query(`select count(*)::int from api.meter`)) as [[number]];
      expect(left).toBeGreaterThanOrEqual(RACES - Math.ceil(RACES / pairs.length));
    },
  );
});

describe('If-None-Match', () => {
  test('B21 PUT with * creates a row and replaces none', async () => {
    await fresh();
    const body = { id: 7, body: 'new', size: 1 };
    const target = '/note?id=eq.7';
    const shown = { Prefer: 'return=representation' };
    expect(codeOf(await write('PUT', target, { noneMatch: '*', body, headers: shown }))).toBe(201);
    const again = await write('PUT', target, { noneMatch: '*', body });
    expect([again.status, (JSON.parse(again.text) as { message: string }).message]).toStrictEqual([
      412,
      'The row exists already',
    ]);
    expect(codeOf(await write('PUT', target, { noneMatch: '*', body: { ...body, id: 8 } }))).toStrictEqual([
      400,
      'SVC115',
    ]);
    // A hidden row exists, too.
    expect(codeOf(await write('PUT', '/note?id=eq.9', { noneMatch: '*', body: { ...body, id: 9 } }))).toStrictEqual(
      FAILED,
    );
    const rivals = await Promise.all(
      [1, 2, 3, 4].map((size) => write('PUT', '/note?id=eq.20', { noneMatch: '*', body: { id: 20, size } })),
    );
    expect(rivals.map(({ status }) => status).toSorted((a, b) => a - b)).toStrictEqual([204, 412, 412, 412]);
  });

  test('B21 is refused where it cannot be checked', async () => {
    await fresh();
    const body = { id: 1, size: 1 };
    for (const parts of [{ noneMatch: '"x"' }, { noneMatch: '*', match: '*' }])
      expect(codeOf(await write('PUT', ROW, { ...parts, body }))).toStrictEqual(UNKNOWN);
    expect(codeOf(await write('PATCH', ROW, { noneMatch: '*', body }))).toStrictEqual(UNKNOWN);
    expect(codeOf(await write('DELETE', ROW, { noneMatch: '*' }))).toStrictEqual(UNKNOWN);
    expect(codeOf(await write('PUT', '/shown?id=eq.1', { noneMatch: '*', body }))).toStrictEqual(UNKNOWN);
    expect(await bodies()).toStrictEqual(['1 a', '2 b', '9 h']);
  });

  test('B21 POST ignores both headers', async () => {
    await fresh();
    expect(codeOf(await write('POST', '/note', { match: '"x"', noneMatch: '*', body: { id: 30, size: 1 } }))).toBe(201);
  });
});

describe('tags', () => {
  test('B21 a version does not depend on what is selected, and changes with every update', async () => {
    await fresh();
    const versionOf = async (target: string): Promise<string> => (await tagOf(target)).split('.').slice(1).join('.');
    const first = await versionOf(ROW);
    expect(await versionOf('/note?select=id&id=eq.1')).toBe(first);
    await harbor.sql('update api.note set body = body where id = 1');
    expect(await versionOf(ROW)).not.toBe(first);
    const tag = await tagOf(ROW);
    expect((await server.get(ROW, { headers: { 'If-None-Match': tag } })).status).toBe(304);
    await harbor.sql('update api.note set body = body where id = 1');
    expect((await server.get(ROW, { headers: { 'If-None-Match': tag } })).status).toBe(200);
  });

  test('B21 a role that may select some columns gets tags without a version', async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      const answer = await server.get('/partial?id=eq.1&select=id,body');
      expect([answer.status, answer.text]).toStrictEqual([200, '[{"id":1,"body":"a"}]']);
      expect(answer.headers.etag).toMatch(/^"[\w-]{22}"$/u);
    }
    expect(codeOf(await server.get('/partial?id=eq.1'))).toStrictEqual([401, '42501']);
    const body = { body: 'n' };
    expect(codeOf(await write('PATCH', '/partial?id=eq.1', { match: '"x.1.1.0-1"', body }))).toStrictEqual([
      401,
      '42501',
    ]);
    expect(codeOf(await write('PATCH', '/partial?id=eq.1', { match: '*', body }))).toBe(204);
  });

  test('B21 conditions are checked without server-etags, too', async () => {
    await fresh();
    expect((await untagged.get(ROW)).headers.etag).toBeUndefined();
    const body = { body: 'n' };
    const match = await tagOf(ROW);
    expect(codeOf(await write('PATCH', ROW, { match: '"x"', body, at: untagged }))).toStrictEqual(FAILED);
    expect(codeOf(await write('PATCH', ROW, { match, body, at: untagged }))).toBe(204);
    const answer = await write('PATCH', ROW, { match, body, at: foreign });
    expect(codeOf(answer)).toStrictEqual([412, 'PGRST133']);
  });

  test('B54 without the extension, both headers are ignored', async () => {
    await fresh();
    expect((await unknown.get(ROW)).headers.etag).toBeUndefined();
    expect(codeOf(await write('PATCH', ROW, { match: '"x"', body: { body: 'n' }, at: unknown }))).toBe(204);
    expect(codeOf(await write('PUT', ROW, { noneMatch: '*', body: { id: 1 }, at: unknown }))).toBe(204);
  });

  test('B21 pages of other origins may send conditions and read tags', async () => {
    const preflight = await server.get(ROW, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://a.example',
        'Access-Control-Request-Method': 'PATCH',
        'Access-Control-Request-Headers': 'if-match, if-none-match',
      },
    });
    const allowed = String(preflight.headers['access-control-allow-headers']).toLowerCase();
    expect([preflight.status, allowed.includes('if-match'), allowed.includes('if-none-match')]).toStrictEqual([
      200,
      true,
      true,
    ]);
    const read = await server.get(ROW, { headers: { Origin: 'https://a.example' } });
    expect(read.headers['access-control-expose-headers']).toContain('ETag');
  });
});

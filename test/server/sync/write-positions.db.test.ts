// The positions of writes in the write-ahead log, without replicas (`beyond.md` §6.2).
import { expect, test } from 'vitest';
import { parseLogPosition } from '../../../src/contract/log-position.ts';
import { useHarbor } from '../../support/harbor.ts';
import { type Answer, bearer, type LocalServer, useServers } from '../../support/local-server.ts';

const harbor = await useHarbor();
await harbor.sql(`
  create table api.note (id int primary key, text text);
  create function api.add_note(id int) returns int language sql volatile as
    $$ insert into api.note values (id, 'called') returning id $$;
  create function api.count_notes() returns bigint language sql stable as 'select count(*) from api.note';
  create table api.book (id int primary key, title text);
  create table api.page (id int primary key, book_id int references api.book, text text);
  create schema keys;
  grant all on api.note, api.book, api.page to ${harbor.anon}, ${harbor.user};
`);
const start = useServers(harbor);
const server = await start({ 'db-tx-end': 'commit-allow-override', 'db-plan-enabled': true });

const JSON_TYPE = { 'Content-Type': 'application/json' };

async function send(
  method: string,
  path: string,
  {
    prefer = 'position',
    body,
    headers = {},
    at = server,
  }: {
    readonly prefer?: string;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
    readonly at?: LocalServer;
  } = {},
): Promise<Answer> {
  const all = { ...(body === undefined ? {} : JSON_TYPE), Prefer: prefer, ...headers };
  return at.get(path, { method, headers: all, ...(body !== undefined && { body: JSON.stringify(body) }) });
}

const headersOf = ({ headers }: Answer): readonly unknown[] => [headers['svc-lsn'], headers['preference-applied']];

async function readEnd(): Promise<bigint> {
  const [[end] = []] = await harbor.query('select pg_current_wal_insert_lsn()::text');
  return parseLogPosition(`1:${String(end)}`)?.lsn ?? 0n;
}

const POSITION: unknown = expect.stringMatching(/^1:[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/u);

test('B92 every kind of write reports its position, if the client prefers it', async () => {
  const before = await readEnd();
  const inserted = await send('POST', '/note', { body: { id: 1, text: 'one' } });
  const after = await readEnd();
  expect([inserted.status, ...headersOf(inserted)]).toEqual([201, POSITION, 'position']);
  const lsn = parseLogPosition(String(inserted.headers['svc-lsn']))?.lsn ?? 0n;
  expect([lsn > before, lsn <= after]).toEqual([true, true]);
  const answers = [
    await send('PATCH', '/note?id=eq.1', { body: { text: 'two' } }),
    await send('PUT', '/note?id=eq.2', { body: { id: 2, text: 'put' } }),
    await send('DELETE', '/note?id=eq.2'),
    await send('POST', '/rpc/add_note', { body: { id: 3 } }),
    await send('POST', '/note', { body: [{ id: 4 }, { id: 5 }] }),
    await send('PATCH', '/note?id=eq.99', { body: { text: 'nothing' } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 200, 201, 204]);
  for (const answer of answers) expect(headersOf(answer)).toEqual([POSITION, 'position']);
  const many = await send('POST', '/note', {
    body: { id: 6 },
    prefer: 'return=representation, position,count=exact, handling=strict',
  });
  expect(headersOf(many)).toEqual([POSITION, 'return=representation, count=exact, handling=strict, position']);
});

test('B92b a nested write, a batch, and a write with an idempotency key', async () => {
  const nested = await send('POST', '/book', {
    body: { id: 1, title: 'b', page: [{ id: 1, text: 'p' }] },
    prefer: 'nested=write, position',
  });
  expect([nested.status, ...headersOf(nested)]).toEqual([201, POSITION, 'nested=write, position']);
  const batch = (requests: unknown, prefer?: string): Promise<Answer> =>
    send('POST', '/', {
      body: requests,
      headers: { 'Content-Type': 'application/vnd.svc.batch+json' },
      ...(prefer !== undefined && { prefer }),
    });
  const written = await batch([
    { method: 'POST', path: '/note', headers: { Prefer: 'position, return=representation' }, body: { id: 20 } },
    { method: 'GET', path: '/note?id=eq.20' },
  ]);
  expect([written.status, ...headersOf(written)]).toEqual([200, POSITION, 'position']);
  // The position is that of the whole transaction, so no part has one.
  const [part] = JSON.parse(written.text) as [{ headers: Record<string, unknown> }];
  expect([part.headers['svc-lsn'], part.headers['preference-applied']]).toEqual([undefined, ['return=representation']]);
  expect(headersOf(await batch([{ method: 'GET', path: '/note' }]))).toEqual([undefined, undefined]);
  const undone = await batch([{ method: 'DELETE', path: '/note?id=eq.20' }], 'tx=rollback, position');
  expect([undone.status, ...headersOf(undone)]).toEqual([200, undefined, 'tx=rollback']);
});

test('B92c requests that write nothing have no position, and do not list the preference', async () => {
  const others = [
    await send('GET', '/note'),
    await send('HEAD', '/note'),
    await send('GET', '/rpc/count_notes'),
    await send('POST', '/rpc/count_notes', { body: {} }),
    await send('POST', '/note', { body: { id: 30 }, prefer: 'tx=rollback, position' }),
    await send('PATCH', '/note?id=eq.1', {
      body: { text: 'x' },
      headers: { Accept: 'application/vnd.svc.plan+json' },
    }),
    await send('POST', '/note', { body: { id: 1 } }),
    await send('POST', '/note', {
      body: [{ id: 31 }, { id: 32 }],
      prefer: 'return=representation, position',
      headers: { Accept: 'application/vnd.svc.object+json' },
    }),
  ];
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200, 201, 200, 409, 406]);
  expect(others.map((answer) => headersOf(answer))).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    [undefined, undefined],
    [undefined, undefined],
    [undefined, 'tx=rollback'],
    [undefined, undefined],
    [undefined, undefined],
    [undefined, undefined],
  ]);
  const without = await send('POST', '/note', { body: { id: 33 }, prefer: 'return=minimal' });
  expect(headersOf(without)).toEqual([undefined, 'return=minimal']);
});

test('B92d without the extension, the preference is unknown', async () => {
  const own = await start({ extensions: 'batch, live' });
  const ignored = await send('POST', '/note', { body: { id: 40 }, at: own });
  expect([ignored.status, ...headersOf(ignored)]).toEqual([201, undefined, undefined]);
  const strict = await send('POST', '/note', { body: { id: 41 }, prefer: 'position, handling=strict', at: own });
  expect(strict.status).toBe(400);
  const compatible = await start({ dialect: 'postgrest', extensions: 'sync' });
  const other = await send('POST', '/note', { body: { id: 42 }, at: compatible });
  expect([other.status, other.headers['pgrst-lsn'], other.headers['preference-applied']]).toEqual([
    201,
    POSITION,
    'position',
  ]);
});

test('B92e the position covers what the write has done, as a token of the role sees it', async () => {
  const answer = await send('POST', '/note', {
    body: { id: 50 },
    headers: bearer({ role: harbor.user, sub: 'ann' }),
    prefer: 'position, return=headers-only',
  });
  expect([answer.status, ...headersOf(answer)]).toEqual([201, POSITION, 'return=headers-only, position']);
});

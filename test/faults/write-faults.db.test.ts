// Writes during a fault: the client never receives success if nothing was stored, and the next request works.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { RawResponse } from '../conformance/send-step.ts';
import { loginUri, serveWriting } from '../conformance/serve.ts';
import { adminUri } from '../support/database.ts';
import { until } from '../support/until.ts';
import { startMessageProxy, type WireMessage } from '../support/message-proxy.ts';
import { use } from '../support/use.ts';

const FIXTURE = `
  create table api.accounts (id int primary key, owner text);
  create function api.open_alone(n int) returns int language plpgsql volatile
    set default_transaction_isolation = 'serializable' as $$
  begin
    perform count(*) from api.accounts;
    perform pg_sleep(0.4);
    insert into api.accounts values (n, 'alone');
    return n;
  end $$;
  create function api.open_slowly(n int) returns int language plpgsql volatile as $$
  begin
    insert into api.accounts values (n, 'slow');
    perform pg_sleep(0.5);
    return n;
  end $$;
  grant all on api.accounts to web_anon;`;

const { hostname, port } = new URL(adminUri());
const proxy = await use(startMessageProxy({ host: hostname, port: Number(port) }));
const service = await use(
  serveWriting(
    { 'db-tx-end': 'commit-allow-override', 'db-channel-enabled': false, 'db-pool': 2 },
    FIXTURE,
    (uri) => Object.assign(new URL(loginUri(uri)), { port: proxy.port, search: '?sslmode=disable' }).href,
  ),
);
afterEach(() => proxy.watch(undefined));

async function isStored(id: number): Promise<boolean> {
  return (await service.query('select from api.accounts where id = $1', [id])).length === 1;
}

function codeOf({ status, body }: RawResponse): readonly [number, unknown] {
  const text = body.toString();
  return [status, text.startsWith('{') ? (JSON.parse(text) as { code?: unknown }).code : undefined];
}

/** Transaction shapes: ended in the same batch, and after a check of the result. */
const SHAPES = [
  { title: 'a POST', method: 'POST', first: 1000, path: () => '/accounts' },
  { title: 'a PUT', method: 'PUT', first: 2000, path: (id: number) => `/accounts?id=eq.${id}` },
];

for (const { title, method, first, path } of SHAPES) {
  const store = (id: number) => service.send({ method, path: path(id), body: { id, owner: 'x' } });

  test(`${title} cut at any message reports success only if it is stored, and the next one succeeds`, async () => {
    const seen: { readonly answer: unknown; readonly isStored: boolean }[] = [];
    for (let messages = 0; ; messages += 1) {
      const cutting = cutAfter(messages);
      const response = await store(first + messages);
      if (!cutting.isDone()) break;
      const answer = response.status < 300 ? 'success' : codeOf(response);
      if (response.status === 503) expect(response.headers.has('retry-after')).toBe(codeOf(response)[1] !== 'SVC004');
      seen.push({ answer, isStored: await isStored(first + messages) });
    }
    // A write lost before its commit was sent is not stored; after that, only the database knows until it confirms.
    const firstUnknown = seen.findIndex(({ answer }) => JSON.stringify(answer) !== '[503,"SVC001"]');
    for (const { isStored } of seen.slice(0, firstUnknown)) expect(isStored).toBe(false);
    for (const { answer, isStored } of seen.slice(firstUnknown))
      expect([[503, 'SVC004'], isStored ? 'success' : undefined]).toContainEqual(answer);
    expect(seen.length).toBeGreaterThan(8);
    expect(seen.at(-1)?.isStored).toBe(true);
    proxy.watch(undefined);
    const after = await store(first + 500);
    expect([after.status < 300, await isStored(first + 500)]).toEqual([true, true]);
  });
}

for (const { title, method, first, path } of SHAPES) {
  test(`the backend of ${title} is terminated at any message: success is reported only if the row is stored`, async () => {
    const outcomes = new Set<string>();
    for (let messages = 0; ; messages += 1) {
      const id = first + 600 + messages;
      const ending = endBackendAfter(messages);
      const [status, code] = codeOf(await service.send({ method, path: path(id), body: { id, owner: 'x' } }));
      if (!ending.isDone()) break;
      proxy.watch(undefined);
      outcomes.add(`${status} ${String(code)} ${(await isStored(id)) ? 'stored' : 'not stored'}`);
    }
    // A termination announced before the commit is a failure; one lost after it leaves the outcome unknown.
    expect(
      [...outcomes].filter(
        (each) =>
          !/^(?:20[14] undefined stored|503 57P01 not stored|503 SVC00[14] not stored|503 SVC004 stored)$/u.test(each),
      ),
    ).toEqual([]);
    expect(outcomes.size).toBeGreaterThan(1);
    proxy.watch(undefined);
    const after = await service.send({ method, path: path(first + 900), body: { id: first + 900, owner: 'x' } });
    expect([after.status < 300, await isStored(first + 900)]).toEqual([true, true]);
  });
}

/** Terminates the session of the service after this many messages, and delays the next message until it is gone. */
function endBackendAfter(messages: number): { readonly isDone: () => boolean } {
  let carrier: number | undefined;
  let passed = 0;
  let isDone = false;
  proxy.watch(async ({ connection, from, content }) => {
    if (from === 'client' && content.includes('/accounts')) carrier ??= connection;
    if (connection !== carrier) return;
    const isDue = passed === messages;
    passed += 1;
    if (!isDue) return;
    isDone = true;
    await service.query(
      "select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = 'rowhouse_gate' and datname = current_database()",
    );
  });
  return { isDone: () => isDone };
}

/** Cuts the connection of the next request after this many messages, from its settings to its end. */
function cutAfter(messages: number): { readonly isDone: () => boolean } {
  let carrier: number | undefined;
  let passed = 0;
  let isDone = false;
  proxy.watch(({ connection, from, type, content }, cut) => {
    if (from === 'client' && content.includes('/accounts')) carrier ??= connection;
    if (connection !== carrier) return;
    if (passed === messages) cut();
    isDone ||= passed === messages;
    passed += 1;
    // Later messages may come from the server itself, which checks the database again after losing it.
    if (type === 'Z' && content === 'I') proxy.watch(undefined);
  });
  return { isDone: () => isDone };
}

test('a backend terminated before COMMIT arrives discards the write', async () => {
  proxy.watch(async ({ from, type, content }: WireMessage) => {
    if (from !== 'client' || type !== 'P' || !content.includes('COMMIT')) return;
    proxy.watch(undefined);
    await service.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction' and datname = current_database()",
    );
    await sleep(50);
  });
  const response = await service.send({ method: 'PUT', path: '/accounts?id=eq.3001', body: { id: 3001, owner: 'x' } });
  expect(codeOf(response)).toEqual([503, '57P01']);
  expect(await isStored(3001)).toBe(false);
});

test('a backend terminated during the write discards it', async () => {
  const answer = service.send({ method: 'POST', path: '/rpc/open_slowly', body: { n: 3002 } });
  const end =
    "select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";
  await until(async () => (await service.query(end)).length > 0);
  expect(codeOf(await answer)).toEqual([503, '57P01']);
  expect(await isStored(3002)).toBe(false);
  const after = await service.send({ method: 'POST', path: '/accounts', body: { id: 3003, owner: 'x' } });
  expect(after.status).toBe(201);
});

describe('W161 a deferred constraint', () => {
  const DUPLICATE = { id: 9, n: 1 };
  const REQUESTS = [
    { title: 'in a plain insert', step: { method: 'POST', path: '/slots', body: DUPLICATE } },
    {
      title: 'in an insert checked as one object',
      step: { method: 'POST', path: '/slots', headers: { Accept: 'application/vnd.svc.object+json' }, body: DUPLICATE },
    },
    { title: 'of a PUT', step: { method: 'PUT', path: '/slots?id=eq.9', body: DUPLICATE } },
    {
      title: 'in an insert to be rolled back',
      step: { method: 'POST', path: '/slots', headers: { Prefer: 'tx=rollback' }, body: DUPLICATE },
    },
    {
      title: 'in a PUT to be rolled back',
      step: { method: 'PUT', path: '/slots?id=eq.9', headers: { Prefer: 'tx=rollback' }, body: DUPLICATE },
    },
  ];
  for (const { title, step } of REQUESTS) {
    test(`${title} fails the request and stores nothing`, async () => {
      expect(codeOf(await service.send(step))).toEqual([409, '23505']);
      expect(await service.query('select id from api.slots')).toEqual([{ id: 1 }]);
    });
  }
});

test('of two transactions with a serialization conflict, one fails and stores nothing', async () => {
  const open = (n: number) => service.send({ method: 'POST', path: '/rpc/open_alone', body: { n } });
  const answers = await Promise.all([open(4001), open(4002)]);
  const outcomes = answers.map(codeOf).sort(([a], [b]) => a - b);
  expect(outcomes).toEqual([
    [200, undefined],
    [500, '40001'],
  ]);
  const winner = answers[0]?.status === 200 ? 4001 : 4002;
  expect(await service.query('select id from api.accounts where id in (4001, 4002)')).toEqual([{ id: winner }]);
});

describe('a client that disconnects', () => {
  const HEAD = 'POST /accounts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  const CSV_HEAD = HEAD.replace('application/json', 'text/csv');
  const UPLOADS = [
    { title: 'during a body of known length', bytes: `${HEAD}Content-Length: 1000\r\n\r\n[{"id":5001,"owner":"x"}]` },
    {
      title: 'during a chunked body',
      bytes: `${HEAD}Transfer-Encoding: chunked\r\n\r\n18\r\n{"id":5001,"owner":"x"}\r\n`,
    },
    {
      title: 'between two rows of CSV',
      bytes: `${CSV_HEAD}Content-Length: 1000\r\n\r\nid,owner\r\n5001,x\r\n`,
    },
    {
      title: 'before the last chunk of CSV',
      bytes: `${CSV_HEAD}Transfer-Encoding: chunked\r\n\r\n12\r\nid,owner\r\n5001,x\r\n\r\n`,
    },
    {
      title: 'before the last chunk',
      bytes: `${HEAD}Transfer-Encoding: chunked\r\n\r\n17\r\n{"id":5001,"owner":"x"}\r\n`,
    },
  ];
  for (const { title, bytes } of UPLOADS) {
    test(`${title} stores no row`, async () => {
      await sendAndLeave(bytes, 50);
      await sleep(100);
      expect(await isStored(5001)).toBe(false);
    });
  }

  test('during its write finds it completed later', async () => {
    const body = '{"n":5002}';
    const head = `POST /rpc/open_slowly HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    await sendAndLeave(head + body, 200);
    await expect.poll(() => isStored(5002), { timeout: 60_000 }).toBe(true);
  });
});

/** @param delayMs delay before the connection is reset */
async function sendAndLeave(bytes: string, delayMs: number): Promise<void> {
  const socket = connect(service.server.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(bytes);
  await sleep(delayMs);
  socket.resetAndDestroy();
}

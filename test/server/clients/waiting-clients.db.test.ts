// Requests that wait without a connection: unfinished bodies and queued streams. However many there are, other requests
// are answered (issue 30, defects 2, 3 and 5).
import { once } from 'node:events';
import { type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { post, startLocalServer } from '../../support/local-server.ts';
import { startMountedService } from '../../support/mounted-service.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';
import { openSocket } from '../../support/raw-client.ts';

const harbor = await useHarbor();

await harbor.sql(`
    create table api.cargo (id int, name text);
    create table api.closed (id int);
    create function api.lines() returns setof int language sql stable as
      $$ select generate_series(1, 3) from api.wait_reading() $$;
    grant insert on api.cargo to ${harbor.anon};
  `);
const server = await use(startLocalServer(harbor, { 'db-pool': 4, 'server-max-requests': 200 }));

const NDJSON = 'application/x-ndjson';
const LINE = `{"id":1,"name":"${'x'.repeat(80)}"}\n`;

/** Opens `count` connections, sends the same text on each, and then stays silent. */
function occupy(count: number, text: string, { port } = server): Promise<readonly Socket[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = openSocket(port);
      await once(socket, 'connect');
      socket.write(text);
      return socket.resume();
    }),
  );
}

function upload(table: string, length: number): string {
  return `POST /${table} HTTP/1.1\r\nHost: x\r\nContent-Type: ${NDJSON}\r\nContent-Length: ${length}\r\n\r\n`;
}

/** Sends requests for as long as the server observes the speed of its queue before acting on it. */
async function expectOpen(): Promise<void> {
  const end = performance.now() + 2000;
  while (performance.now() < end) expect((await server.get('/berth?select=id&id=eq.1')).text).toBe('[{"id":1}]');
}

async function leave(sockets: readonly Socket[]): Promise<void> {
  for (const socket of sockets) socket.resetAndDestroy();
  await until(async () => (await server.metric('http_requests_in_flight')) === 0);
  await until(async () => (await server.metric('db_pool_waiting')) === 0);
}

test.each([
  ['of a few bytes', 300, `${upload('closed', 2_000_000)}{"id":`],
  ['of a few bytes to a writable table', 300, `${upload('cargo', 2_000_000)}{"id":`],
  ['that are partly received', 250, upload('cargo', 2_000_000) + LINE.repeat(900)],
  ['of an endless row', 250, `${upload('cargo', 2_000_000)}{"name":"${'x'.repeat(100_000)}`],
])('unfinished uploads %s, more than the request limit, do not block other requests', async (_, count, text) => {
  const sockets = await occupy(count, text);
  await expectOpen();
  await leave(sockets);
});

test('queued streams do not block other requests', async () => {
  const hold = await harbor.hold();
  const line = `GET /rpc/lines HTTP/1.1\r\nHost: x\r\nAccept: ${NDJSON}\r\n\r\n`;
  const sockets = await occupy(250, line);
  await hold.waiting(2);
  await until(async () => (await server.metric('db_pool_waiting')) === 248);
  await expectOpen();
  await hold.release();
  await leave(sockets);
  expect((await server.get('/rpc/lines', { headers: { Accept: NDJSON } })).text).toBe('1\n2\n3\n');
});

test('uploads that started within the limit are refused if their first batch arrives beyond it', async () => {
  // The number of requests decides, not the estimated wait.
  const strict = await startLocalServer(harbor, { 'db-pool': 4, 'server-max-requests': 200, 'server-max-wait': 0 });
  const hold = await harbor.hold();
  const body = LINE.repeat(900);
  const sockets = await occupy(5, upload('cargo', body.length) + body.slice(0, 10), strict);
  // Heads are checked in the order of their arrival.
  expect((await strict.get('/berth?limit=0')).status).toBe(200);
  const waiting = await occupy(200, 'GET /rpc/wait_reading HTTP/1.1\r\nHost: x\r\n\r\n', strict);
  await until(async () => (await strict.metric('http_requests_in_flight')) === 200);
  const answers = sockets.map(async (socket) => {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    return chunk.toString('latin1', 0, 12);
  });
  for (const socket of sockets) socket.write(body.slice(10));
  expect(await Promise.all(answers)).toEqual(sockets.map(() => 'HTTP/1.1 503'));
  await hold.release();
  for (const socket of [...sockets, ...waiting]) socket.resetAndDestroy();
  await strict.stop();
});

test('behind the Fetch API, unfinished uploads do not block other requests', async () => {
  const service = await startMountedService(harbor, { dbPool: 4, serverMaxRequests: 20 });
  const handler = service.createFetchHandler();
  const clients: ReadableStreamDefaultController[] = [];
  const uploads: Promise<Response>[] = [];
  while (uploads.length < 30) {
    const body = new ReadableStream({
      start: (controller) => {
        clients.push(controller);
        controller.enqueue(Buffer.from(LINE.repeat(900)));
      },
    });
    const parts = { method: 'POST', headers: { 'Content-Type': NDJSON }, body, duplex: 'half' } as const;
    uploads.push(handler(new Request('http://x/cargo', parts)));
    await until(() => service.renderMetrics().includes(`_in_flight ${uploads.length}.0`));
  }
  for (let count = 0; count < 50; count += 1)
    expect((await handler(new Request('http://x/berth?limit=0'))).status).toBe(200);
  for (const client of clients) client.error(new Error('gone'));
  expect((await Promise.all(uploads)).map(({ status }) => status)).toEqual(uploads.map(() => 400));
  await service.stop();
});

test('B44 with a pool of one connection, bodies up to the limit are buffered, so no client can occupy it', async () => {
  const single = await startLocalServer(harbor, { 'db-pool': 1, 'server-max-body-size': 1_000_000 });
  const socket = openSocket(single.port);
  await once(socket, 'connect');
  socket.write(upload('cargo', 900_000) + LINE.repeat(9000));
  await harbor.sql('truncate api.cargo');
  const lines = Math.floor(1_000_000 / LINE.length);
  const send = (body: string, type: string) =>
    single.get('/cargo', { method: 'POST', headers: { 'Content-Type': type }, body });
  expect(await send(LINE.repeat(lines), NDJSON)).toMatchObject({
    status: 201,
    headers: { 'content-range': `*/${lines}` },
  });
  expect(await harbor.query('select count(*)::int from api.cargo')).toEqual([[lines]]);
  for (const [type, text] of [
    [NDJSON, LINE],
    ['text/csv', `id,name\n${'1,x\n'.repeat(20)}`],
  ] as const) {
    const answer = await send(text.repeat(Math.ceil(1_100_000 / text.length)), type);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([413, { code: 'SVC129' }]);
  }
  socket.destroy();
  expect((await single.get('/rpc/who', post({}))).status).toBe(200);
  await single.stop();
});

// Many pages on one connection.
import { MessageChannel, type MessagePort as NodePort } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import {
  createReadService,
  type ReadMessage,
  type ReadPort,
  type ReadRequest,
} from '../../../explorer/src/watch/serve-reads.ts';
import { useScriptedServers } from '../../packages/support/scripted-server.ts';
import { until } from '../../support/until.ts';

const start = useScriptedServers();
const ports: NodePort[] = [];

afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

interface Page {
  readonly received: () => readonly ReadMessage[];
  /** Resolves with the messages once there are so many. */
  readonly messages: (count: number) => Promise<readonly ReadMessage[]>;
  readonly end: () => void;
}

function open(
  serve: (port: ReadPort) => void,
  url: string,
  request: Partial<ReadRequest['access']>,
  path: string,
): Page {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  serve(port1 as unknown as ReadPort);
  const received: ReadMessage[] = [];
  port2.on('message', (message: ReadMessage) => received.push(message));
  port2.postMessage({ access: { url, token: undefined, headers: {}, ...request }, path });
  return {
    received: () => received,
    async messages(count) {
      await until(() => received.length >= count);
      return received;
    },
    end: () => port2.postMessage('end'),
  };
}

const LIVE = { kind: 'state', state: { kind: 'live' } };

test('B89 the reads of seven pages share one connection, and large numbers stay exact', async () => {
  const server = await start();
  const serve = createReadService();
  const names = Array.from({ length: 7 }, (_, index) => `t${index}`);
  const pages = names.map((name) => open(serve, `${server.url}/`, { token: 'a' }, `/${name}`));
  const list = await server.accept();
  expect(list.headers.authorization).toBe('Bearer a');
  expect(list.reads).toEqual(names);
  for (const name of names)
    list.raw(
      `event: rows\ndata: {"id":"${list.idOf(name)}","eventId":"e1","rows":[{"id":9007199254740993,"name":"${name}"}]}\n\n`,
    );
  for (const [index, page] of pages.entries())
    expect(await page.messages(2)).toEqual([
      LIVE,
      { kind: 'rows', rows: [`{"id":9007199254740993,"name":"t${index}"}`] },
    ]);
  list.change('t3', 'e2', [{ id: 2 }], [{ id: 1 }]);
  expect((await pages[3]?.messages(3))?.slice(2)).toEqual([
    { kind: 'change', upsert: ['{"id":2}'], delete: ['{"id":1}'] },
  ]);
  expect(server.exchanges).toHaveLength(1);
  for (const page of pages) page.end();
  await until(() => list.isClosed);
  expect(server.exchanges).toHaveLength(1);
});

test('reads with other tokens or schemas have other connections', async () => {
  const server = await start();
  const serve = createReadService();
  open(serve, server.url, { token: 'a' }, '/t');
  open(serve, server.url, { token: 'b' }, '/t');
  open(serve, server.url, { token: 'b', headers: { 'Accept-Profile': 'shop' } }, '/t');
  const lists = [await server.accept(), await server.accept(), await server.accept()];
  const access = lists.map(({ headers }) => `${headers.authorization}, ${String(headers['accept-profile'])}`);
  expect(new Set(access)).toEqual(new Set(['Bearer a, undefined', 'Bearer b, undefined', 'Bearer b, shop']));
});

test('a read ends with the error of the server, and the others go on', async () => {
  const server = await start();
  const serve = createReadService();
  const [page, other] = [open(serve, server.url, {}, '/t'), open(serve, server.url, {}, '/u')];
  const list = await server.accept();
  list
    .error('t', 400, { code: 'SVC141', message: 'not published', details: null, hint: 'Add it.' })
    .rows('u', 'e1', []);
  const error = { code: 'SVC141', message: 'not published', details: undefined, hint: 'Add it.' };
  expect(await page.messages(1)).toEqual([{ kind: 'state', state: { kind: 'ended', error } }]);
  expect(await other.messages(2)).toEqual([LIVE, { kind: 'rows', rows: [] }]);
});

test('a refused token ends the read with advice', async () => {
  const server = await start();
  const page = open(createReadService(), server.url, { token: 'old' }, '/t');
  (await server.next()).answer(401, { code: 'SVC301', message: 'JWT expired', details: null, hint: null });
  const error = { code: 'SVC301', message: 'JWT expired', details: undefined, hint: 'Enter a new token.' };
  expect(await page.messages(1)).toEqual([{ kind: 'state', state: { kind: 'ended', error } }]);
});

test('a lost connection is shown, and so is that the server has no room', async () => {
  const server = await start();
  const page = open(createReadService(), server.url, {}, '/t');
  (await server.next()).answer(503, { code: 'SVC503', message: 'full', details: null, hint: null });
  const error = { code: 'SVC503', message: 'full', details: undefined, hint: undefined };
  expect(await page.messages(1)).toEqual([{ kind: 'state', state: { kind: 'reconnecting', error } }]);
  const list = await server.accept();
  list.rows('t', 'e1', []);
  await page.messages(3);
  list.cut();
  expect((await page.messages(4))[3]).toEqual({ kind: 'state', state: { kind: 'reconnecting' } });
  const next = await server.accept();
  expect(next.reads).toEqual(['t@e1']);
  expect((await page.messages(5))[4]).toEqual(LIVE);
});

// Streamed rows during a shutdown and behind other HTTP servers (`beyond.md` §1.9).
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http';
import { createGunzip, createGzip } from 'node:zlib';
import { expect, test } from 'vitest';
import type { MountableService } from '../../../src/index.ts';
import { useHarbor } from '../../support/harbor.ts';
import { startLocalServer } from '../../support/local-server.ts';
import { startMountedService } from '../../support/mounted-service.ts';
import { until } from '../../support/until.ts';
import { listen } from '../../support/listen.ts';
import { use } from '../../support/use.ts';

const harbor = await useHarbor();
const HEADERS = { Accept: 'application/x-ndjson' };
const LONG_ROWS = 60_000;

await harbor.sql(`
    create view api.long as select a, b, repeat('y', 990) as filler
      from generate_series(1, ${LONG_ROWS / 200}) a, generate_series(1, 200) b;
    create view api.endless as select a, b, repeat('y', 990) as filler
      from generate_series(1, 30000) a, generate_series(1, 30000) b;
    grant select on api.long, api.endless to ${harbor.anon}`);

function startMounted(): Promise<MountableService> {
  return use(startMountedService(harbor, { dbPool: 2, serverSendTimeout: 1 }));
}

async function activity(condition: string): Promise<unknown> {
  const rows = await harbor.query(
    `select count(*)::int from pg_stat_activity where usename = '${harbor.login}' and ${condition}`,
  );
  return rows[0]?.[0];
}

function whenBlocked(): Promise<unknown> {
  return until(async () => (await activity(`wait_event = 'ClientWrite'`)) === 1);
}

function whenFree(): Promise<unknown> {
  return until(async () => (await activity(`state = 'active'`)) === 0);
}

async function open(port: number, path: string): Promise<IncomingMessage> {
  const asked = get({ host: '127.0.0.1', port, path, headers: HEADERS, agent: false });
  const [incoming] = (await once(asked, 'response')) as [IncomingMessage];
  return incoming;
}

async function countLines(incoming: AsyncIterable<Uint8Array>): Promise<number> {
  let lines = 0;
  for await (const chunk of incoming) for (const byte of chunk) if (byte === 0x0a) lines += 1;
  return lines;
}

test('B27 a server that shuts down finishes streams in flight', async () => {
  const server = await startLocalServer(harbor);
  const incoming = await open(server.port, '/long');
  await whenBlocked();
  const stopped = server.stop();
  expect(await countLines(incoming)).toBe(LONG_ROWS);
  await stopped;
});

test('B27 streams that outlast the shutdown grace are cut off, and their statements are cancelled', async () => {
  const server = await startLocalServer(harbor, { 'server-shutdown-grace': 1 });
  const incoming = await open(server.port, '/endless');
  await whenBlocked();
  await Promise.all([server.stop(), expect(countLines(incoming)).rejects.toThrow('aborted')]);
  await whenFree();
  expect(server.count(/^Requests cut off at shutdown: 1\./u)).toBe(1);
});

test('B25 the Fetch handler produces rows as they are pulled', async () => {
  const answer = (await startMounted()).createFetchHandler();
  const response = await answer(new Request('http://x/long', { headers: HEADERS }));
  await whenBlocked();
  expect([response.status, response.headers.get('content-length')]).toEqual([200, null]);
  expect(await countLines(response.body ?? new ReadableStream())).toBe(LONG_ROWS);
});

test('B26 the Fetch handler cancels a body that is not read to the end', async () => {
  const answer = (await startMounted()).createFetchHandler();
  const response = await answer(new Request('http://x/endless', { headers: HEADERS }));
  const reader = response.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await reader?.cancel();
  await whenFree();
  expect((await answer(new Request('http://x/berth'))).status).toBe(200);
});

test('B26 the Fetch handler drops a reader that pulls nothing', async () => {
  const answer = (await startMounted()).createFetchHandler();
  const response = await answer(new Request('http://x/endless', { headers: HEADERS }));
  await whenBlocked();
  await whenFree();
  await expect(response.text()).rejects.toThrow('The rest of the response did not arrive');
  expect((await answer(new Request('http://x/berth'))).status).toBe(200);
});

async function serve(handler: RequestListener): Promise<number> {
  return listen(await use(createServer(handler)));
}

test('B25 B26 rows stream through a server of node:http', async () => {
  const handler = (await startMounted()).createNodeHandler();
  const port = await serve(handler);
  expect(await countLines(await open(port, '/long'))).toBe(LONG_ROWS);
  const stalled = await open(port, '/endless');
  await whenBlocked();
  await whenFree();
  await expect(countLines(stalled)).rejects.toThrow('aborted');
});

test('compression middleware of a node handler receives no more than it consumes', async () => {
  const service = await startMounted();
  const handle = service.createNodeHandler();
  let most = 0;
  const port = await serve((request, response) => {
    const zip = createGzip();
    const write = response.write.bind(response);
    const end = response.end.bind(response);
    zip.on('data', (chunk: Buffer) => {
      if (write(chunk)) return;
      zip.pause();
      response.once('drain', () => zip.resume());
    });
    zip.on('end', () => end());
    zip.on('drain', () => response.emit('drain'));
    Object.assign(response, {
      write: (chunk: Uint8Array) => {
        const isFree = zip.write(chunk);
        most = Math.max(most, zip.writableLength);
        return isFree;
      },
      end: () => zip.end(),
    });
    handle(request, response);
  });
  const incoming = await open(port, '/long');
  expect(await countLines(incoming.pipe(createGunzip()))).toBe(LONG_ROWS);
  expect(most).toBeLessThan(1_000_000);
});

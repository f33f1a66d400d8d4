// Writes with an idempotency key whose connection is cut at a byte of the exchange, between client and server or between
// server and database, and which are then repeated: each takes effect exactly once. The long form cuts at every byte, at 10,000 places.
import { expect, test } from 'vitest';
import { renderIdempotencySetup } from '../../src/extensions/idempotency/idempotency-setup.ts';
import { useHarbor } from '../support/harbor.ts';
import { bearer, type RequestParts, sendRequest, useServers } from '../support/local-server.ts';
import { isLong } from '../support/long-form.ts';
import { startMessageProxy } from '../support/message-proxy.ts';
import { type Direction, startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

/** Cuts of each request and line; the long form cuts at every byte. */
const SHORT_CUTS = 14;
/** Milliseconds. */
const TIMEOUT = isLong ? 900_000 : 60_000;

const harbor = await useHarbor();
const { user } = harbor;
await harbor.sql(`
  create table api.stock (id int primary key, amount int not null);
  create table api.sale (id int generated always as identity primary key, note text not null);
  insert into api.stock values (1, 0);
  grant all on api.stock, api.sale to ${user};
  create function api.sell(note text) returns int language sql volatile as
    $$ update api.stock set amount = amount + 1 where id = 1; insert into api.sale (note) values (note) returning id $$;
  ${renderIdempotencySetup('keys').join('\n')}`);
const start = useServers(harbor);

const OPTIONS = {
  'db-pool': 2,
  'db-channel-enabled': false,
  'db-pool-acquisition-timeout': 5,
  'db-idempotency-schema': 'keys',
};

function throughPort(port: number): string {
  return Object.assign(new URL(harbor.uri), { host: `127.0.0.1:${port}`, search: 'sslmode=disable' }).href;
}

const { hostname, port } = new URL(harbor.uri);
const toDatabase = await use(startTcpProxy({ host: hostname, port: Number(port) }));
const server = await start({ ...OPTIONS, 'db-uri': throughPort(toDatabase.port) });
const toServer = await use(startTcpProxy({ host: '127.0.0.1', port: server.port }));

const BATCH = [
  { id: 's', method: 'POST', path: '/sale?select=id', headers: { Prefer: 'return=representation' } },
  { method: 'PATCH', path: '/sale?id=eq.{s#/0/id}&select=id,note' },
];

interface Write {
  readonly path: string;
  readonly type?: string;
  readonly body: (note: string) => unknown;
}

const WRITES: Readonly<Record<string, Write>> = {
  'an insert': { path: '/sale', body: (note) => ({ note }) },
  'a function': { path: '/rpc/sell', body: (note) => ({ note }) },
  'a batch': {
    path: '/',
    type: 'application/vnd.svc.batch+json',
    body: (note) => BATCH.map((each) => Object.assign({}, each, { body: { note } })),
  },
};

function partsOf({ type = 'application/json', body }: Write, note: string): RequestParts {
  const headers = { ...bearer({ role: user, sub: 'mira' }), 'Content-Type': type, 'Idempotency-Key': `"${note}"` };
  return { method: 'POST', headers: { ...headers, Connection: 'close' }, body: JSON.stringify(body(note)) };
}

/** Sends the write until it succeeds. */
async function repeat(write: Write, note: string): Promise<void> {
  let last = '';
  await until(
    async () => {
      const answer = await sendRequest(
        { host: '127.0.0.1', port: server.port, path: write.path },
        partsOf(write, note),
      );
      last = `${answer.status} ${answer.text}`;
      return answer.status < 300;
    },
    { why: () => last },
  );
}

/** Bytes that pass during one write. */
async function measure(write: Write, proxy: TcpProxy, direction: Direction): Promise<number> {
  const before = proxy.passed(direction);
  await sendRequest(
    { host: '127.0.0.1', port: toServer.port, path: write.path },
    partsOf(write, `measured ${proxy.port} ${direction} ${write.path}`.replaceAll(' ', '_')),
  );
  return proxy.passed(direction) - before;
}

const LINES = ['client toServer', 'client toClient', 'database toServer', 'database toClient'] as const;

for (const [name, write] of Object.entries(WRITES)) {
  for (const line of LINES) {
    test(`B70 ${name} takes effect once, wherever the connection is cut: ${line}`, { timeout: TIMEOUT }, async () => {
      const [end, way] = line.split(' ') as [string, Direction];
      const proxy = end === 'client' ? toServer : toDatabase;
      await repeat(write, `first-${name}-${line}`.replaceAll(' ', '_'));
      const size = await measure(write, proxy, way);
      expect(size).toBeGreaterThan(200);
      const count = isLong ? size : SHORT_CUTS;
      const run = `${end}-${way}-${name}`.replaceAll(' ', '_');
      for (let cut = 0; cut < count; cut += 1) {
        const note = `${run}-${cut}`;
        proxy.set({ bytesLeft: Math.floor((cut * size) / count) }, way);
        const parts = partsOf(write, note);
        await sendRequest({ host: '127.0.0.1', port: toServer.port, path: write.path }, parts).catch(() => undefined);
        proxy.clear();
        await repeat(write, note);
      }
      const sold = await harbor.query(
        `select count(*)::int, count(distinct note)::int from api.sale where note like '${run}-%'`,
      );
      expect(sold).toEqual([[count, count]]);
    });
  }
}

test('B70b an effect that is not a row happens once as well', async () => {
  const sold = await harbor.query(
    `select amount = (select count(*) from api.sale where note like '%a_function%' or note like '%/rpc/%') from api.stock`,
  );
  expect(sold).toEqual([[true]]);
});

test('B69d an outcome that is not known names the header', async () => {
  const { hostname, port } = new URL(harbor.uri);
  const proxy = await startMessageProxy({ host: hostname, port: Number(port) });
  const behind = await start({ ...OPTIONS, 'db-uri': throughPort(proxy.port) });
  const hint = async (key: string): Promise<unknown> => {
    await behind.get('/sale', { headers: bearer({ role: user, sub: 'mira' }) });
    proxy.watch(({ from, content }, cut) => {
      if (from === 'client' && content.includes('COMMIT')) cut();
    });
    const { headers, ...parts } = partsOf({ path: '/rpc/sell', body: (note) => ({ note }) }, key);
    const { 'Idempotency-Key': sent = '', ...others } = { ...headers };
    const answer = await behind.get('/rpc/sell', {
      ...parts,
      headers: key === '' ? others : { ...others, 'Idempotency-Key': sent },
    });
    proxy.watch(undefined);
    return JSON.parse(answer.text) as unknown;
  };
  expect(await hint('hint')).toMatchObject({
    code: 'SVC004',
    hint: expect.stringContaining('Repeat the request with the same Idempotency-Key'),
  });
  expect(await hint('')).toMatchObject({ code: 'SVC004', hint: expect.stringContaining('header Idempotency-Key') });
  await proxy.close();
});

// The database restarts while bodies are received or streamed: no part of a body is kept, no incomplete response looks
// complete, and the server recovers.
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { useTestbed } from './use-testbed.ts';

const testbed = await useTestbed({ server: { 'db-pool-acquisition-timeout': 2, 'server-body-timeout': 60 } });

await testbed.sql(`
    create view api.endless as select a, b, repeat('y', 990) as filler
      from generate_series(1, 30000) a, generate_series(1, 30000) b;
    grant select on api.endless to anon;`);
// The server knows the view once it has reloaded the schema cache.
await until(async () => (await testbed.ask('/endless?limit=1')).status === 200 || reload());
const FILLER = 'x'.repeat(80);
const ROWS = 20_000;

interface Format {
  readonly type: string;
  readonly begin: string;
  readonly row: (id: number) => string;
}

const FORMATS: readonly Format[] = [
  { type: 'application/x-ndjson', begin: '', row: (id) => `{"id":${id},"note":"${FILLER}"}\n` },
  { type: 'text/csv', begin: 'id,note\n', row: (id) => `${id},${FILLER}\n` },
];

const WAYS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['stopped', () => testbed.stopDatabase()],
  [
    'killed',
    async () => {
      process.kill(testbed.postmaster, 'SIGKILL');
      await testbed.stopDatabase();
    },
  ],
];

async function reload(): Promise<undefined> {
  await testbed.sql(`notify svc, 'reload schema'`);
  return undefined;
}

function open({ type }: Format): ClientRequest {
  const headers = { 'Content-Type': type, 'Transfer-Encoding': 'chunked' };
  const { port } = testbed.server;
  const outgoing = request({ host: '127.0.0.1', port, path: '/ledger', method: 'POST', headers, agent: false });
  // A rejected body is not read to the end.
  outgoing.on('error', () => undefined);
  return outgoing;
}

function rowsOf({ row }: Format, first: number): string {
  return Array.from({ length: ROWS }, (_, index) => row(first + index)).join('');
}

async function count(): Promise<unknown> {
  return (await testbed.query('select count(*)::int from api.ledger'))[0]?.[0];
}

describe.each(WAYS)('a database that is %s and comes back', (_, stop) => {
  test.each(FORMATS)('B44 while $type arrives: nothing is kept, and the next body is', async (format) => {
    const outgoing = open(format);
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    outgoing.write(format.begin + rowsOf(format, 1));
    await until(async () => (await testbed.sessions(`state = 'idle in transaction' and query like '%ledger%'`)) === 1);
    await stop();
    await testbed.startDatabase();
    outgoing.end(rowsOf(format, ROWS + 1));
    const [incoming] = await answered;
    expect(incoming.statusCode).toBe(503);
    expect(JSON.parse(await text(incoming))).toMatchObject({
      code: expect.stringMatching(/^(?:SVC00[01]|57P0[123])$/u),
    });
    expect(await count()).toBe(0);

    await testbed.recovery(() => Promise.resolve());
    const next = open(format);
    const answer = once(next, 'response') as Promise<[IncomingMessage]>;
    next.end(format.begin + rowsOf(format, 1));
    const [after] = await answer;
    expect([after.statusCode, after.headers['content-range']]).toEqual([201, `*/${ROWS}`]);
    expect(await count()).toBe(ROWS);
  });

  test('B27 while NDJSON is sent: the response is truncated, and the next one is complete', async () => {
    const headers = { Accept: 'application/x-ndjson' };
    const { port } = testbed.server;
    const outgoing = request({ host: '127.0.0.1', port, path: '/endless', headers, agent: false });
    outgoing.end();
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    const failed = new Promise<unknown>((resolve) => incoming.on('error', resolve));
    incoming.resume();
    await stop();
    expect(await failed).toMatchObject({ code: 'ECONNRESET' });
    expect(incoming.complete).toBe(false);

    await testbed.startDatabase();
    await testbed.recovery(() => Promise.resolve());
    const whole = await testbed.ask('/endless?limit=1000', { headers });
    expect([whole.status, whole.text.split('\n')]).toMatchObject([200, { length: 1001 }]);
  });
});

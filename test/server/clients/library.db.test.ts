// The library as other programs import it: a complete server, or handlers for the Fetch API.
import { expect, test } from 'vitest';
import { type FetchHandler, type ProgramOptions, startServer, startService } from '../../../src/index.ts';
import { useHarbor } from '../../support/harbor.ts';
import { bearer, SECRET } from '../../support/local-server.ts';
import { use } from '../../support/use.ts';

const QUIET = { writeOut: () => {}, writeError: () => {} };

const harbor = await useHarbor();

function options(more: ProgramOptions = {}): ProgramOptions {
  return {
    dbUri: harbor.uri,
    dbSchemas: ['api'],
    dbAnonRole: harbor.anon,
    dbConfig: false,
    jwtSecret: SECRET,
    serverMaxBodySize: 1000,
    ...more,
  };
}

const service = await use(
  startService({ options: options(), environment: { SVC_DB_SCHEMAS: 'archive' }, output: QUIET }),
);
const fetchApi: FetchHandler = service.createFetchHandler({ basePath: '/api' });

function ask(target: string, init?: RequestInit): Promise<Response> {
  return fetchApi(new Request(`http://example.org${target}`, init));
}

test('options take precedence over the environment, and a read is answered', async () => {
  const response = await ask('/api/berth?select=id&order=id&limit=1');
  expect([response.status, response.headers.get('content-type'), await response.json()]).toEqual([
    200,
    'application/json; charset=utf-8',
    [{ id: 1 }],
  ]);
});

test('a write without content, a HEAD, a token', async () => {
  const body = JSON.stringify({ id: 9, name: 'East' });
  const created = await ask('/api/berth', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
  expect([created.status, await created.text()]).toEqual([201, '']);
  const head = await ask('/api/berth', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const who = await ask('/api/rpc/who', { headers: bearer({ role: harbor.user }) });
  expect(await who.json()).toBe(harbor.user);
});

test.each(['/berth', '/apiberth', '/'])('%s is outside the base path', async (target) => {
  const response = await ask(target);
  expect([response.status, await response.json()]).toMatchObject([404, { code: 'SVC125' }]);
});

test.each([
  ['declared', 'x'.repeat(2000)],
  ['streamed', new Blob(['x'.repeat(2000)]).stream()],
])('a body beyond the limit is rejected: %s', async (_, body) => {
  const init = { method: 'POST', body, duplex: 'half', headers: { 'Content-Type': 'application/json' } } as RequestInit;
  const response = await ask('/api/berth', init);
  expect([response.status, await response.json()]).toMatchObject([413, { code: 'SVC129' }]);
});

test('a body that was already read gets an explanatory error', async () => {
  const read = new Request('http://example.org/api/berth', { method: 'POST', body: '{}' });
  await read.text();
  const held = new Request('http://example.org/api/berth', { method: 'POST', body: '{}' });
  held.body?.getReader();
  for (const request of [read, held]) {
    const response = await fetchApi(request);
    expect([response.status, await response.json()]).toEqual([
      500,
      {
        code: 'SVCX01',
        details: null,
        hint: 'Mount the API before middleware that reads bodies, such as express.json()',
        message: 'The body of the request was read before the API received it',
      },
    ]);
  }
});

test('a client that disconnects in the middle of its body does not make the handler reject', async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error('the client has gone')) });
  const response = await ask('/api/berth', { method: 'POST', body, duplex: 'half' });
  expect([response.status, await response.json()]).toEqual([
    400,
    {
      code: 'SVC102',
      details: null,
      hint: null,
      message: 'The request body ended before it was complete',
    },
  ]);
});

test('an aborted read is cancelled in the database', async () => {
  const abort = new AbortController();
  const hold = await harbor.hold();
  const answer = ask('/api/rpc/wait_reading', { signal: abort.signal });
  await hold.waiting(1);
  abort.abort();
  expect((await answer).status).toBeGreaterThanOrEqual(400);
  await hold.waiting(0);
  await hold.release();
});

test('startServer starts, answers and stops', async () => {
  const server = await startServer({
    options: options({ serverHost: '127.0.0.1', serverPort: 0 }),
    environment: {},
    output: QUIET,
  });
  expect(server.adminAddress).toBeUndefined();
  expect((await fetch(`http://${server.apiAddress}/berth?limit=0`)).status).toBe(200);
  await server.stop();
  await expect(server.reloadSchemaCache()).rejects.toThrow('The service has ended');
  await expect(fetch(`http://${server.apiAddress}/berth`)).rejects.toThrow('fetch failed');
});

test('a reload resolves once the new schema is served, and rejects with the reason', async () => {
  await harbor.sql(
    'create view api.berth_names as select name from api.berth; grant select on api.berth_names to public',
  );
  await service.reloadSchemaCache();
  expect((await ask('/api/berth_names?limit=0')).status).toBe(200);
  await harbor.sql(`alter role ${harbor.login} connection limit 0`);
  await harbor.terminate('true');
  // A reload fails for another reason as long as the service does not know that its sessions have ended.
  const reason = (): Promise<string> => service.reloadSchemaCache().then(() => 'loaded', String);
  await expect.poll(reason).toContain('too many connections for role');
  await harbor.sql(`alter role ${harbor.login} connection limit -1`);
  await service.reloadSchemaCache();
  expect((await ask('/api/berth_names?limit=0')).status).toBe(200);
});

test('a start that cannot succeed throws the reason', async () => {
  const start = (more: object): Promise<unknown> =>
    startServer({ options: options(more), environment: {}, output: QUIET });
  await expect(start({ dbTxEnd: 'never' })).rejects.toThrow('Invalid transaction termination');
  await expect(start({ serverHost: 'no-such-host.invalid' })).rejects.toThrow('API server cannot listen');
  await expect(start({ dbPol: 3 })).rejects.toThrow('Unknown option dbPol');
  await expect(start({ 'db-pool': '3' })).rejects.toThrow('Unknown option db-pool. In a program, use dbPool.');
});

// Spans of requests, sent with the official SDK to a stand-in for a collector (`beyond.md` §3.4).
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type Span, trace, type Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { expect, test } from 'vitest';
import { startServerProcess } from '../support/server-process.ts';
import { useHarbor } from '../support/harbor.ts';
import { post, sendRequest, startLocalServer } from '../support/local-server.ts';
import { type CollectedSpan, startSpanCollector } from '../support/span-collector.ts';
import { use, whenOver } from '../support/use.ts';

const LOAD_SDK = fileURLToPath(new URL('../../deploy/tracing.mjs', import.meta.url));

const harbor = await useHarbor();

const collector = await use(startSpanCollector());
const exporter = new OTLPTraceExporter({ url: `${collector.url}/v1/traces` });
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();
whenOver(async () => {
  await provider.shutdown();
  trace.disable();
});
const server = await use(startLocalServer(harbor, { 'server-workers': 1, 'db-traceparent': true }, { file: '' }));

interface Parent {
  readonly traceId: string;
  readonly spanId: string;
  readonly headers: Readonly<Record<string, string>>;
}

function createParent(flags = '01'): Parent {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } };
}

const shorten = ({ name, kind }: CollectedSpan): string => `${['', 'internal', 'server', 'client'][kind]} ${name}`;

function find(spans: readonly CollectedSpan[], kind: number): CollectedSpan {
  const found = spans.find((span) => span.kind === kind);
  if (found === undefined) throw new Error(`no span of kind ${kind}`);
  return found;
}

test('B52 a request is a span with its stages and its transaction as children', async () => {
  const parent = createParent();
  const headers = { ...parent.headers, 'User-Agent': 'tester' };
  expect((await server.get('/berth?id=eq.2&select=name', { headers })).status).toBe(200);
  const spans = await collector.trace(parent.traceId);
  const own = find(spans, 2);
  expect(own).toMatchObject({ name: 'GET /berth', parentSpanId: parent.spanId, status: 0 });
  expect(own.attributes).toEqual({
    'http.request.method': 'GET',
    'http.route': '/berth',
    'http.response.status_code': 200,
    'url.path': '/berth',
    'url.query': 'id=eq.2&select=name',
    'url.scheme': 'http',
    'network.protocol.version': '1.1',
    'network.peer.address': '127.0.0.1',
    'client.address': '127.0.0.1',
    'server.address': '127.0.0.1',
    'server.port': server.port,
    'user_agent.original': 'tester',
  });
  const children = spans.filter(({ parentSpanId }) => parentSpanId === own.spanId);
  expect(children.map(shorten).sort()).toEqual([
    'client SELECT berth',
    'internal authenticate',
    'internal parse',
    'internal plan',
    'internal respond',
  ]);
  expect(children).toHaveLength(spans.length - 1);
  for (const { start, end } of children) {
    expect(start).toBeLessThanOrEqual(end);
    expect([start >= own.start, end <= own.end]).toEqual([true, true]);
  }
});

test('B52b the transaction has the database conventions, with our SQL and no values', async () => {
  const parent = createParent();
  await server.get('/berth?name=eq.Nowhere-to-be-seen', { headers: parent.headers });
  const { attributes } = find(await collector.trace(parent.traceId), 3);
  const { hostname, port } = new URL(harbor.uri);
  expect(attributes).toEqual({
    'db.system.name': 'postgresql',
    'db.namespace': harbor.database,
    'db.operation.name': 'SELECT',
    'db.collection.name': 'berth',
    'db.query.summary': 'SELECT berth',
    'db.query.text': expect.stringMatching(/^SELECT [\s\S]*"name" = \$1/u) as string,
    'server.address': decodeURIComponent(hostname),
    ...(port === '' ? {} : { 'server.port': Number(port) }),
  });
  expect(JSON.stringify(attributes)).not.toContain('Nowhere');
});

test('B52j a span keeps the beginning of a long SQL text', async () => {
  const parent = createParent();
  const conditions = Array.from({ length: 1000 }, (_, index) => `id.eq.${index}`).join(',');
  const { status } = await server.get('/berth', {
    method: 'QUERY',
    headers: { ...parent.headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `or=(${conditions})`,
  });
  expect(status).toBe(200);
  const { attributes } = find(await collector.trace(parent.traceId), 3);
  const text = String(attributes['db.query.text']);
  expect([text.length, text.at(-1)]).toEqual([16_385, '…']);
  expect(text).toMatch(/^WITH "_1" AS /u);
});

test('B52c errors carry the SQLSTATE; only those of the server are errors of the span', async () => {
  const failing = createParent();
  expect((await server.get('/rpc/fail', { ...post({}), headers: failing.headers })).status).toBe(500);
  const spans = await collector.trace(failing.traceId);
  expect(find(spans, 2)).toMatchObject({
    name: 'POST /rpc/fail',
    status: 2,
    attributes: { 'http.response.status_code': 500, 'error.type': 'XX000' },
  });
  expect(find(spans, 3)).toMatchObject({
    name: 'SELECT fail',
    status: 2,
    attributes: { 'db.response.status_code': 'XX000', 'error.type': 'XX000', 'db.stored_procedure.name': 'fail' },
  });
  const denied = createParent();
  expect((await server.get('/ledger', { headers: denied.headers })).status).toBe(401);
  const own = find(await collector.trace(denied.traceId), 2);
  expect(own).toMatchObject({ name: 'GET /ledger', status: 0, attributes: { 'http.response.status_code': 401 } });
  expect(own.attributes).not.toHaveProperty('error.type');
});

test.each([
  ['GET', '/nothing/like/this', 'GET', 'GET'],
  ['BREW', '/berth', 'HTTP /berth', '_OTHER'],
])('B52d a client cannot invent names: %s %s', async (method, target, name, stated) => {
  const parent = createParent();
  await server.get(target, { method, headers: parent.headers });
  const own = find(await collector.trace(parent.traceId), 2);
  expect([own.name, own.attributes['http.request.method']]).toEqual([name, stated]);
});

test('B52e the database knows the trace with db-traceparent', async () => {
  const parent = createParent();
  const ask = (headers: Readonly<Record<string, string>>): Promise<unknown> =>
    server.json('/rpc/setting?name=request.traceparent', { headers });
  const known = await ask(parent.headers);
  const own = find(await collector.trace(parent.traceId), 2);
  expect(known).toBe(`00-${parent.traceId}-${own.spanId}-01`);
  const unsampled = createParent('00');
  expect(await ask(unsampled.headers)).toMatch(new RegExp(`^00-${unsampled.traceId}-[0-9a-f]{16}-00$`, 'u'));
  expect(await ask({})).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/u);
});

test('B52f nothing is recorded without the extension, or of requests that are not sampled', async () => {
  const unsampled = createParent('00');
  await server.get('/berth', { headers: unsampled.headers });
  const off = createParent();
  await server.reconfigure('extensions = "rates"\ndb-traceparent = true');
  await server.get('/berth', { headers: off.headers });
  expect(await server.json('/rpc/setting?name=request.traceparent', { headers: off.headers })).toBeFalsy();
  await server.reconfigure('db-traceparent = true');
  const last = createParent();
  await server.get('/berth', { headers: last.headers });
  await collector.trace(last.traceId);
  const ids = new Set(collector.spans.map(({ traceId }) => traceId));
  expect([ids.has(unsampled.traceId), ids.has(off.traceId)]).toEqual([false, false]);
});

test('B52g requests that are rejected early are spans too', async () => {
  const parent = createParent();
  const response = await server.get('/berth', {
    ...post(null),
    headers: { ...parent.headers, 'Content-Length': '9999999999' },
    body: '[',
  });
  expect(response.status).toBe(413);
  const own = find(await collector.trace(parent.traceId), 2);
  expect([own.name, own.attributes['http.response.status_code']]).toEqual(['POST /berth', 413]);
});

test('B52h an SDK that is loaded with --import traces workers as well', async () => {
  const built = await startServerProcess(
    { 'db-uri': harbor.uri, 'db-schemas': 'api', 'db-anon-role': harbor.anon, 'server-workers': 2 },
    {
      nodeArguments: ['--import', LOAD_SDK],
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_SERVICE_NAME: 'harbor',
        OTEL_BSP_SCHEDULE_DELAY: '50',
      },
    },
  );
  const parents = [createParent(), createParent()];
  for (const { headers } of parents)
    await sendRequest({ host: '127.0.0.1', port: built.port, path: '/berth?id=eq.1' }, { headers });
  for (const { traceId } of parents) {
    const spans = await collector.trace(traceId);
    expect(find(spans, 2)).toMatchObject({ name: 'GET /berth', service: 'harbor' });
  }
  await built.stop();
});

test.each([1, 2])('B52 SIGTERM sends the spans of the last requests; workers: %s', async (workers) => {
  const built = await startServerProcess(
    { 'db-uri': harbor.uri, 'db-schemas': 'api', 'db-anon-role': harbor.anon, 'server-workers': workers },
    {
      nodeArguments: ['--import', LOAD_SDK],
      // By itself, the SDK sends spans after an hour.
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '3600000' },
    },
  );
  const parents = [createParent(), createParent(), createParent()];
  const send = (path: string, { headers }: Parent) =>
    sendRequest({ host: '127.0.0.1', port: built.port, path }, { headers });
  const [answered, alsoAnswered, draining] = parents as [Parent, Parent, Parent];
  expect((await send('/berth?id=eq.1', answered)).status).toBe(200);
  expect((await send('/berth?id=eq.2', alsoAnswered)).status).toBe(200);
  const held = await harbor.hold();
  const last = sendRequest(
    { host: '127.0.0.1', port: built.port, path: '/rpc/wait' },
    { ...post({}), headers: { ...post({}).headers, ...draining.headers } },
  );
  await held.waiting(1);
  const stopped = built.stop();
  await held.release();
  expect((await last).status).toBe(200);
  await stopped;
  for (const { traceId } of parents) expect(collector.spans.map((span) => span.traceId)).toContain(traceId);
});

test('B52i without an SDK, the database gets the trace of the client', async () => {
  const built = await startServerProcess({
    'db-uri': harbor.uri,
    'db-schemas': 'api',
    'db-anon-role': harbor.anon,
    'db-traceparent': true,
  });
  const ask = async (headers: Readonly<Record<string, string>>): Promise<string> =>
    (
      await sendRequest(
        { host: '127.0.0.1', port: built.port, path: '/rpc/setting?name=request.traceparent' },
        { headers },
      )
    ).text;
  const { headers } = createParent();
  expect(await ask(headers)).toBe(`"${headers['traceparent']}"`);
  expect(await ask({ traceparent: `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01` })).toBe('""');
  expect(await ask({})).toBe('""');
  await built.stop();
});

/** Calls of an SDK that a sampler or a processor of the operator can make fail. */
const FAULTS = ['startSpan', 'spanContext', 'isRecording', 'setAttribute', 'end'] as const;

/** A tracer of which one call fails, on itself or its spans. */
function createBrokenTracer(fault: (typeof FAULTS)[number]): Tracer {
  const fail = (): never => {
    throw new Error(`the SDK failed in ${fault}`);
  };
  const working = trace.wrapSpanContext({ traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: 1 });
  const span: Span = Object.assign(working, { isRecording: () => true, [fault]: fail });
  return { startSpan: fault === 'startSpan' ? fail : () => span, startActiveSpan: fail };
}

test.each(FAULTS)('B52k what %s throws is logged once, and requests are answered as before', async (fault) => {
  trace.disable();
  trace.setGlobalTracerProvider({ getTracer: () => createBrokenTracer(fault) });
  const broken = await startLocalServer(harbor, { 'server-workers': 1 });
  const read = await broken.get('/berth?id=eq.2&select=id');
  const lines = await broken.get('/berth?id=eq.2&select=id', { headers: { Accept: 'application/x-ndjson' } });
  expect([read.status, read.text, lines.status, lines.text]).toEqual([200, '[{"id":2}]', 200, '{"id":2}\n']);
  expect((await broken.get('/ledger')).status).toBe(401);
  expect(broken.count(new RegExp(`the SDK failed in ${fault}`, 'u'))).toBe(1);
  await broken.stop();
});

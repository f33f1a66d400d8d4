// The `/status` document of a server with known facts.
import { expect, test } from 'vitest';
import { Tally } from '../../src/observe/http-metrics.ts';
import { RequestMetrics } from '../../src/observe/request-metrics.ts';
import { buildStatus, type StatusFacts } from '../../src/observe/status.ts';

const EPOCH = Date.UTC(2026, 0, 2, 3, 4, 5);

function factsOf(metrics: RequestMetrics, refusals: Tally<string> = new Tally()): StatusFacts {
  return {
    product: { name: 'rowhouse', version: '0.1' },
    dialect: 'svc',
    versions: { node: 'v20.19.0', postgres: '18.4' },
    uptimeMs: 61_999,
    now: { epoch: EPOCH, monotonic: 100_000 },
    isLive: true,
    problems: [],
    counters: {
      cacheQueryTime: 0.25,
      cacheLoads: { succeeded: 2, failed: 1 },
      pool: { open: 5, available: 3, waiting: 1, max: 10, timeouts: 4 },
      extensions: [],
      jwtCache: { requests: 9, hits: 8, evictions: 7 },
    },
    metrics,
    refusals,
    summary: { relations: 3, relationships: 2, routines: 1, representations: 0, mediaHandlers: 6 },
    loadedAt: EPOCH - 60_000,
    listener: { state: 'listening', channel: 'svc' },
    configuration: [{ name: 'db-pool', value: '10', isSecret: false, isDefault: true }],
  };
}

test('contains all facts', () => {
  const metrics = new RequestMetrics();
  metrics.inFlight = 2;
  const request = { method: 'GET', path: '/', rawQuery: '' };
  const known = { relations: new Map(), routines: new Map() } as never;
  metrics.record({ request, status: 200, milliseconds: 3, at: 99_000, code: undefined, cache: known });
  metrics.record({ request, status: 200, milliseconds: 12_000, at: 99_500, code: undefined, cache: known });
  const gone = { ...request, path: '/gone' };
  metrics.record({ request: gone, status: 404, milliseconds: 0.5, at: 98_000, code: 'SVC205', cache: known });
  const refusals = new Tally<string>();
  refusals.count('server-max-wait');
  expect(JSON.parse(JSON.stringify(buildStatus(factsOf(metrics, refusals))))).toEqual({
    product: { name: 'rowhouse', version: '0.1' },
    dialect: 'svc',
    versions: { node: 'v20.19.0', postgres: '18.4' },
    uptimeSeconds: 61,
    isLive: true,
    isReady: true,
    problems: [],
    pool: { max: 10, open: 5, inUse: 2, waiting: 1, timeouts: 4 },
    requests: {
      inFlight: 2,
      answered: 3,
      statuses: [
        { status: 200, count: 2 },
        { status: 404, count: 1 },
      ],
      latency: {
        bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
        counts: [1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
        seconds: 12.0035,
      },
    },
    refusals: [{ limit: 'server-max-wait', count: 1 }],
    slowest: [
      { shape: 'GET /', milliseconds: 12_000, at: '2026-01-02T03:04:04.500Z', requests: 2, meanMilliseconds: 6001.5 },
    ],
    errors: [{ code: 'SVC205', count: 1, status: 404, at: '2026-01-02T03:04:03.000Z', method: 'GET', route: 'other' }],
    schemaCache: {
      loads: { succeeded: 2, failed: 1 },
      loadedAt: '2026-01-02T03:03:05.000Z',
      querySeconds: 0.25,
      relations: 3,
      relationships: 2,
      functions: 1,
    },
    listener: { state: 'listening', channel: 'svc' },
    tokenCache: { requests: 9, hits: 8, evictions: 7 },
    configuration: [{ name: 'db-pool', value: '10', isSecret: false, isDefault: true }],
  });
});

test('omits facts about the database before it is reached', () => {
  const facts = factsOf(new RequestMetrics());
  const status = buildStatus({
    ...facts,
    versions: { node: 'v20.19.0', postgres: undefined },
    summary: undefined,
    loadedAt: undefined,
    problems: ['The schema cache is being loaded for the first time.'],
  });
  expect([status.isReady, status.schemaCache.loadedAt, status.schemaCache.relations]).toEqual([false, undefined, 0]);
  expect(JSON.stringify(status)).not.toContain('postgres"');
});

test('is not ready if the server is not listening', () => {
  expect(buildStatus({ ...factsOf(new RequestMetrics()), isLive: false }).isReady).toBe(false);
});

test('lists the 15 slowest recent shapes, slowest first', () => {
  const metrics = new RequestMetrics();
  const names = Array.from({ length: 20 }, (_, index) => `t${index}`);
  const cache = {
    relations: new Map([['api', new Map(names.map((name) => [name, {}]))]]),
    routines: new Map(),
  } as never;
  names.forEach((name, index) => {
    const request = { method: 'GET', path: `/${name}`, rawQuery: 'limit=1' };
    metrics.record({
      request,
      status: 200,
      milliseconds: index,
      at: index === 19 ? -501_000 : 0,
      code: undefined,
      cache,
    });
  });
  const { slowest } = buildStatus(factsOf(metrics));
  expect(slowest.map(({ shape }) => shape)).toEqual(
    names
      .slice(4, 19)
      .reverse()
      .map((name) => `GET /${name}?limit`),
  );
});

// A plan recalled from the plan cache equals the plan made from scratch. `ROWHOUSE_LONG=1` compares 4,000 random requests.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { SchemaCache } from '../../src/catalog/schema-cache.ts';
import { buildSchemaCache } from '../../src/catalog/decode.ts';
import type { HttpRequest } from '../../src/contract/http.ts';
import { ok, type Result } from '../../src/contract/result.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import { planRequest } from '../../src/plan/plan-request.ts';
import { PlanCache, type Planning } from '../../src/prepare/plan-cache.ts';
import { planningOf } from '../../src/serve/request-context.ts';
import { prepareAction, type PreparedAction } from '../../src/sql/render-script.ts';
import { loadRows } from '../support/load-cache.ts';
import { resolved } from '../support/resolve-text.ts';
import { Random } from '../support/generate/random.ts';
import { randomRequest } from '../support/generate/random-request.ts';
import { WriteMaker } from '../support/generate/random-write.ts';
import { modelSchema } from '../support/generate/schema-model.ts';
import { parseGoldenFile } from '../support/golden-file.ts';
import { contextOf, parseWhole, toRequest } from '../support/request-stages.ts';
import { createDatabase, loadFixture, runSql, type TestDatabase } from '../support/database.ts';
import { isLong } from '../support/long-form.ts';

const SQL_FOLDER = fileURLToPath(new URL('../sql/', import.meta.url));
const CASES_FOLDER = fileURLToPath(new URL('../conformance/cases/', import.meta.url));
const CONFIG = resolved({
  environment: { SVC_DB_SCHEMAS: 'api', SVC_DB_AGGREGATES_ENABLED: 'true', SVC_DB_PLAN_ENABLED: 'true' },
});
const RANDOM_REQUESTS = isLong ? 4000 : 300;

let databases: readonly TestDatabase[] = [];

const [first, second] = [await createDatabase(), await createDatabase()];
databases = [first, second];
await loadFixture(first.uri, `${CASES_FOLDER}reading.sql`);
await runSql(first.uri, readFileSync(`${SQL_FOLDER}golden/fixture.sql`, 'utf8'));
await loadFixture(second.uri, `${CASES_FOLDER}writing.sql`);
const schemas = { schemas: ['api'], extraSearchPath: ['public'] };
const reading = buildSchemaCache(await loadRows(first.uri, schemas));
const writing = buildSchemaCache(await loadRows(second.uri, schemas));
afterAll(async () => {
  for (const database of databases) await database.drop();
});

function planningFor(cache: SchemaCache): Planning {
  return planningOf(contextOf({ cache, config: CONFIG }), cache);
}

function prepareDirectly(request: HttpRequest, { settings, context }: Planning): Result<PreparedAction, ApiError> {
  const parsed = parseWhole(request, settings);
  if (!parsed.ok) return parsed;
  const planned = planRequest(parsed.value, context);
  return planned.ok ? ok(prepareAction(planned.value, context)) : planned;
}

/** The parts of a prepared action that are compared; the others are used up by rendering the statements. */
function shown(prepared: Result<PreparedAction, ApiError>): unknown {
  if (!prepared.ok || prepared.value.kind !== 'rows') return prepared;
  const { action, profile: _, ...others } = prepared.value;
  const rendered = new Set(['read', 'payload', 'where', 'arguments', 'contentLocation', 'paging']);
  return { ...others, action: Object.fromEntries(Object.entries(action).filter(([name]) => !rendered.has(name))) };
}

/** Returns the request with other filter values; `number` makes some of them unique. */
function withValues(request: HttpRequest, number: number): HttpRequest {
  const rawQuery = request.rawQuery
    .replaceAll(/(?<==(?:not\.)?(?:eq|neq|gte?|lte?)\.)[\w.-]+(?=&|$)/gu, (value) => `${value}.${number}`)
    .replaceAll(/(?<=(?:^|&)[a-z]+=)\w+(?=&|$)/gu, (value) => `${value}${number}`);
  return { ...request, rawQuery };
}

/** Returns how many requests were answered from a cached plan. */
async function compare(requests: readonly HttpRequest[], planning: Planning): Promise<number> {
  const plans = new PlanCache();
  let count = 0;
  for (const request of requests) {
    for (const each of [request, withValues(request, 7), request, withValues(request, 8)]) {
      const cached = await plans.prepare(each, planning, () => Promise.resolve());
      if (cached === undefined) continue;
      count += 1;
      expect(shown(cached), JSON.stringify(each)).toEqual(shown(prepareDirectly(each, planning)));
    }
  }
  return count;
}

function readGoldenRequests(folder: string): readonly HttpRequest[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.golden.sql'))
    .flatMap((name) => parseGoldenFile(readFileSync(folder + name, 'utf8')))
    .map(({ line, headers: { Body, ...headers } }) =>
      Object.assign(toRequest(line, headers), { body: new TextEncoder().encode(Body) }),
    );
}

describe('a cached plan equals the plan made from scratch', () => {
  test('golden reads', async () => {
    expect(await compare(readGoldenRequests(`${SQL_FOLDER}golden/`), planningFor(reading))).toBeGreaterThan(400);
  });

  test('golden writes and calls', async () => {
    expect(await compare(readGoldenRequests(`${SQL_FOLDER}write-golden/`), planningFor(writing))).toBeGreaterThan(200);
  });

  test('random reads', async () => {
    const schema = modelSchema(reading, 'api');
    const requests = Array.from({ length: RANDOM_REQUESTS }, (_, seed) => {
      const { method, url, headers } = randomRequest(new Random(seed), schema);
      return toRequest(`${method} ${url}`, headers);
    });
    expect(await compare(requests, planningFor(reading))).toBeGreaterThan(RANDOM_REQUESTS);
  });

  test('random writes and calls', async () => {
    const maker = new WriteMaker(writing);
    const requests = Array.from({ length: RANDOM_REQUESTS }, (_, seed) => {
      const { method, url, headers, body = '' } = maker.make(new Random(seed));
      const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
      return Object.assign(toRequest(`${method} ${url}`, headers), { body: bytes });
    });
    expect(await compare(requests, planningFor(writing))).toBeGreaterThan(RANDOM_REQUESTS);
  });
});

// Sends the requests of the conformance cases to a server with all extensions and to one without each of them. A server
// without an extension answers like the one with all, except for the headers that the extension adds, and where the case
// expects what holds without the extension.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXTENSION_NAMES, type ExtensionName } from '../../src/contract/extensions.ts';
import { renderIdempotencySetup } from '../../src/extensions/idempotency/idempotency-setup.ts';
import type { RunningServer } from '../../src/index.ts';
import { createDatabase, runSql } from '../support/database.ts';
import { findDifferences } from './answer-differences.ts';
import type { ConformanceCase, ConformanceSuite, Expectation } from './conformance-case.ts';
import { fileOf, groupByConfig } from './conformance-groups.ts';
import { findProblems } from './match-response.ts';
import { sendStep, type RawResponse } from './send-step.ts';
import { closeSide, openSide, portOf, prepare, serve, type Side } from './side.ts';

/** Puts as many extensions as possible on the way of each request. */
const IN_USE = {
  'db-channel-enabled': false,
  'db-idempotency-schema': 'idempotency',
  'db-max-cost': 1_000_000_000,
  'db-traceparent': true,
  'idempotency-anonymous': true,
  'jwt-cookie': 'session',
  'mcp-path': '/mcp',
  'server-etags': true,
  'server-rate-limit': '1000000/s',
};

/** Headers that an extension adds, or adds something to, in responses to requests that do not name it. */
const OWN_HEADERS: Partial<Record<ExtensionName, readonly string[]>> = {
  cookie: ['vary'],
  etag: ['etag', 'access-control-expose-headers'],
  query: ['allow', 'accept-query', 'access-control-allow-methods'],
  rates: ['ratelimit', 'ratelimit-policy', 'access-control-expose-headers'],
};

/** Headers whose values depend on the transaction that wrote the row, and on the time. */
const VARYING_HEADERS: ReadonlySet<string> = new Set(['etag', 'ratelimit']);

/** Cases that leave text open: an error lists what the server would have accepted, a plan shows buffers. */
const OPEN_TEXTS: ReadonlySet<string> = new Set(['R42', 'W247']);

/** A server, and a database of its own, so that all servers answer a case at the same time. */
interface Variant {
  /** Undefined: the server has all extensions. */
  readonly without: ExtensionName | undefined;
  readonly side: Side;
  server: RunningServer | undefined;
}

for (const name of ['reading', 'writing']) {
  const suite = JSON.parse(readFileSync(fileOf(`${name}.json`), 'utf8')) as ConformanceSuite;
  describe(name, () => {
    const variants: Variant[] = [];
    beforeAll(async () => {
      const template = await createDatabase();
      await prepare(template.uri, readFileSync(fileOf(suite.fixture), 'utf8'));
      await runSql(template.uri, renderIdempotencySetup('idempotency').join('\n'));
      for (const without of [undefined, ...EXTENSION_NAMES]) {
        const side = await openSide('svc', await createDatabase({ template: template.name }));
        variants.push({ without, side, server: undefined });
      }
      await template.drop();
    });
    afterAll(() => Promise.all(variants.map(({ side }) => closeSide(side))));
    for (const [config, cases] of groupByConfig(suite.cases)) describeGroup(config, cases, variants);
  });
}

function describeGroup(config: string, cases: readonly ConformanceCase[], variants: readonly Variant[]): void {
  describe(config, () => {
    beforeAll(async () => {
      const options = { ...IN_USE, ...(JSON.parse(config) as NonNullable<ConformanceCase['config']>) };
      await Promise.all(
        variants.map(async (variant) => {
          const extensions = EXTENSION_NAMES.filter((extension) => extension !== variant.without).join(', ');
          variant.server = await serve(variant.side, { ...options, extensions });
        }),
      );
    });
    afterAll(() => Promise.all(variants.flatMap(({ server }) => server?.stop() ?? [])));
    for (const conformance of cases) {
      test(`${conformance.id} ${conformance.name}`, async () => {
        const [complete = [], ...others] = await Promise.all(variants.map((variant) => answer(conformance, variant)));
        const unexplained = EXTENSION_NAMES.flatMap((without, index) =>
          findUnexplained(conformance, without, others[index] ?? [], complete),
        );
        expect(unexplained).toEqual([]);
      });
    }
  });
}

async function answer({ steps, mutates }: ConformanceCase, { server, side }: Variant): Promise<readonly RawResponse[]> {
  if (server === undefined) throw new Error('the server has not started');
  const responses: RawResponse[] = [];
  for (const step of steps) responses.push(await sendStep(portOf(server), step, responses));
  // With an extension, a server may accept a write that the case expects to be refused.
  const isAsSpecified = steps.every(({ expect: specified = {} }, index) => meets(specified, responses[index]));
  if (mutates || !isAsSpecified) await side.client.query('select fixture.reset()');
  return responses;
}

function meets(specified: Expectation, response: RawResponse | undefined): boolean {
  return response !== undefined && findProblems(specified, response).length === 0;
}

function findUnexplained(
  { id, steps }: ConformanceCase,
  without: ExtensionName,
  responses: readonly RawResponse[],
  complete: readonly RawResponse[],
): readonly string[] {
  return steps.flatMap(({ method = 'GET', path = '', expect: specified = {} }, index) => {
    const [one, other] = [responses[index], complete[index]];
    if (one === undefined || other === undefined) return [`without ${without}: no response`];
    const parts = findDifferences(one, other, (text) => text).filter((part) => {
      if (part === 'body') return !OPEN_TEXTS.has(id);
      const isVarying = VARYING_HEADERS.has(part) && one.headers.has(part) && other.headers.has(part);
      return !isVarying && !OWN_HEADERS[without]?.includes(part);
    });
    const isSpecified = meets(specified, one) && !meets(specified, other);
    return parts.length === 0 || isSpecified ? [] : [`without ${without}: ${method} ${path}: ${parts.join(', ')}`];
  });
}

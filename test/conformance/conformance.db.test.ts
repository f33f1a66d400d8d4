// Sends every request of the conformance cases over real sockets to two servers over the same schema, one per dialect,
// with one pair of servers per configuration. The first must answer as specified, and the second like the first except
// for names and the specified departures.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DialectName } from '../../src/contract/dialect.ts';
import type { RunningServer } from '../../src/index.ts';
import { createDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { findDifferences } from './answer-differences.ts';
import type { ConformanceCase, ConformanceStep, ConformanceSuite } from './conformance-case.ts';
import { fileOf, groupByConfig } from './conformance-groups.ts';
import { DEPARTURES } from './departures.ts';
import { renameAll, toPostgrestNames } from './dialect-names.ts';
import { findProblems } from './match-response.ts';
import { sendStep, type RawResponse } from './send-step.ts';
import { closeSide, openSide, portOf, prepare, serve, type Side } from './side.ts';

type Both<T> = readonly [svc: T, postgrest: T];

const inBoth = <T, R>([svc, postgrest]: Both<T>, act: (one: T) => Promise<R>): Promise<[R, R]> =>
  Promise.all([act(svc), act(postgrest)]);

const known = new Set<string>();

for (const name of ['reading', 'writing', 'operations']) {
  const suite = JSON.parse(readFileSync(fileOf(`${name}.json`), 'utf8')) as ConformanceSuite;
  for (const { id } of suite.cases) known.add(id);
  const fixture = readFileSync(fileOf(suite.fixture), 'utf8');
  describe(name, () => {
    let sides: Both<Side>;
    beforeAll(async () => {
      sides = [await prepareSide('svc', fixture), await prepareSide('postgrest', toPostgrestNames(fixture))];
    });
    afterAll(() => inBoth(sides, closeSide));
    for (const [config, cases] of groupByConfig(suite.cases)) describeGroup(config, cases, () => sides);
  });
}

test('every departure lists existing cases', () => {
  const named = DEPARTURES.flatMap(({ cases }) => (cases === 'all' ? [] : cases));
  expect(named.filter((id) => !known.has(id))).toEqual([]);
});

async function prepareSide(dialect: DialectName, fixture: string): Promise<Side> {
  const database = await createDatabase();
  await prepare(database.uri, fixture);
  return openSide(dialect, database);
}

function describeGroup(config: string, cases: readonly ConformanceCase[], sides: () => Both<Side>): void {
  describe(config, () => {
    let servers: Both<RunningServer>;
    beforeAll(async () => {
      const options = JSON.parse(config) as NonNullable<ConformanceCase['config']>;
      // A listener loads the schema cache a second time.
      const isListening = cases.some(showsListeners) && options['db-channel-enabled'] !== false;
      servers = await inBoth(sides(), (side) => serve(side, { ...options, 'db-channel-enabled': isListening }));
      if (isListening) await inBoth(sides(), untilListening);
    });
    afterAll(() => inBoth(servers, (server) => server.stop()));
    for (const conformance of cases) {
      test(`${conformance.id} ${conformance.name}`, async () => {
        const departures = DEPARTURES.filter(({ cases: ids }) => ids === 'all' || ids.includes(conformance.id));
        const { problems, differing } = await runCase(conformance, sides(), servers);
        expect(problems).toEqual([]);
        const specified = new Set(departures.flatMap(({ parts }) => parts));
        expect([...differing].filter((part) => !specified.has(part))).toEqual([]);
        for (const { section, parts, cases: ids } of departures) {
          if (ids !== 'all')
            expect(
              parts.some((part) => differing.has(part)),
              section,
            ).toBe(true);
        }
      });
    }
  });
}

async function untilListening({ client }: Side): Promise<void> {
  const statement = `select from pg_stat_activity where datname = current_database() and query like 'LISTEN %'`;
  await until(async () => ((await client.query(statement)).rowCount ?? 0) > 0);
}

function showsListeners({ steps }: ConformanceCase): boolean {
  return steps.some(({ path }) => path === '/rpc/listeners');
}

interface CaseResult {
  /** What the first server does not answer as specified. */
  readonly problems: readonly string[];
  /** The parts in which the second server's responses differ. */
  readonly differing: ReadonlySet<string>;
}

async function runCase(
  { sql, steps, mutates }: ConformanceCase,
  [svc, postgrest]: Both<Side>,
  servers: Both<RunningServer>,
): Promise<CaseResult> {
  const [svcPort, postgrestPort] = [portOf(servers[0]), portOf(servers[1])];
  const earlier: Both<RawResponse[]> = [[], []];
  const problems: string[] = [];
  const differing = new Set<string>();
  if (sql !== undefined) {
    await Promise.all([svc.client.query(sql), postgrest.client.query(toPostgrestNames(sql))]);
  }
  for (const step of steps) {
    const answers = await Promise.all([
      sendStep(svcPort, step, earlier[0]),
      sendStep(postgrestPort, renameAll<ConformanceStep>(step), earlier[1]),
    ]);
    const found = findProblems(step.expect ?? {}, answers[0]);
    problems.push(...found.map((problem) => `${step.method ?? 'GET'} ${step.path ?? ''}: ${problem}`));
    for (const part of findDifferences(...answers, toPostgrestNames)) differing.add(part);
    answers.forEach((answer, index) => earlier[index]?.push(answer));
  }
  if (mutates) await inBoth([svc, postgrest], ({ client }) => client.query('select fixture.reset()'));
  return { problems, differing };
}

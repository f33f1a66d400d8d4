// Sends every request of the conformance cases over real sockets to two servers over the same schema, one per dialect,
// with one pair of servers per configuration. The first must answer as specified, and the second like the first except
// for names and the specified departures.
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DialectName, DIALECTS } from '../../src/contract/dialect.ts';
import { type RunningServer, startServer } from '../../src/index.ts';
import { environmentName } from '../../src/config/table/option.ts';
import { createDatabase, runRoleSql, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { findDifferences } from './answer-differences.ts';
import type { ConformanceCase, ConformanceStep, ConformanceSuite } from './conformance-case.ts';
import { BASE, fileOf, groupByConfig } from './conformance-groups.ts';
import { DEPARTURES } from './departures.ts';
import { renameAll, toPostgrestNames } from './dialect-names.ts';
import { findProblems } from './match-response.ts';
import { sendStep, type RawResponse } from './send-step.ts';
import { loginUri } from './serve.ts';

const SETTINGS = 'app.settings.';
const QUIET = { writeOut: () => {}, writeError: () => {} };

/** A dialect, and a database with the schema in its names. */
interface Side {
  readonly dialect: DialectName;
  readonly database: TestDatabase;
  /** Runs what the cases need between two requests. */
  readonly client: Client;
}

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
    afterAll(() =>
      inBoth(sides, async ({ client, database }) => {
        await client.end();
        await database.drop();
      }),
    );
    for (const [config, cases] of groupByConfig(suite.cases)) describeGroup(config, cases, () => sides);
  });
}

test('every departure lists existing cases', () => {
  const named = DEPARTURES.flatMap(({ cases }) => (cases === 'all' ? [] : cases));
  expect(named.filter((id) => !known.has(id))).toEqual([]);
});

/** What `fixture.reset()` begins with. */
const EMPTYING = /truncate ([^;]+) restart identity cascade;/u;

/** To delete a few rows takes a hundredth of the time that new files take. */
function deleteRows(_truncation: string, tables: string): string {
  const deletions = tables.split(/,\s*/u).map((table) => `delete from ${table};`);
  return `
    perform set_config('session_replication_role', 'replica', true);
    ${deletions.join('\n')}
    perform set_config('session_replication_role', 'origin', true);
    perform setval(s.seqrelid, s.seqstart, false) from pg_sequence as s
      join pg_depend as d on d.classid = 'pg_class'::regclass and d.objid = s.seqrelid and d.refclassid = 'pg_class'::regclass
      where d.deptype in ('a', 'i');`;
}

async function prepareSide(dialect: DialectName, fixture: string): Promise<Side> {
  const database = await createDatabase();
  await runRoleSql(database.uri, fixture.replace(EMPTYING, deleteRows));
  const client = new Client({ connectionString: database.uri });
  await client.connect();
  return { dialect, database, client };
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

function serve({ dialect, database }: Side, config: NonNullable<ConformanceCase['config']>): Promise<RunningServer> {
  const base = { ...BASE, 'server-host': '127.0.0.1', 'server-port': 0 };
  const stated = Object.entries({ ...base, 'db-uri': loginUri(database.uri), ...config, dialect })
    .filter(([, value]) => value !== null)
    .map(([name, value]): readonly [string, string] => [
      name,
      dialect === 'svc' ? String(value) : toPostgrestNames(String(value)),
    ]);
  const isSetting = ([name]: readonly [string, string]): boolean => name.startsWith(SETTINGS);
  // Variables also accept older names of options, but cannot express every setting.
  const environment = stated
    .filter((option) => !isSetting(option))
    .map(([name, value]) => [environmentName(name, DIALECTS[dialect].environmentPrefix), value]);
  const appSettings = stated.filter(isSetting).map(([name, value]) => [name.slice(SETTINGS.length), value]);
  return startServer({
    environment: Object.fromEntries(environment),
    options: { appSettings: Object.fromEntries(appSettings) },
    output: QUIET,
  });
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

function portOf({ apiAddress }: RunningServer): number {
  return Number(apiAddress.slice(apiAddress.lastIndexOf(':') + 1));
}

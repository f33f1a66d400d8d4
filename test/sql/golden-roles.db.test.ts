// Runs every golden request for two roles in turn on one connection: plans that the session cached for one role must
// not change the response to the other. PostgreSQL checks some privileges only when it plans.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildSchemaCache } from '../../src/catalog/decode.ts';
import type { SchemaCache } from '../../src/catalog/schema-cache.ts';
import type { ScriptReply } from '../../src/postgres/session/script-reply.ts';
import { runAlone } from '../postgres/support/run-alone.ts';
import type { Session } from '../../src/postgres/session/session.ts';
import type { TransactionScript } from '../../src/sql/transaction-script.ts';
import { loadRows } from '../support/load-cache.ts';
import { resolved } from '../support/resolve-text.ts';
import { openSession, rowsOf } from '../postgres/support/connect-test.ts';
import { adminUri, createDatabase, loadFixture, runRoleSql, runSql, type TestDatabase } from '../support/database.ts';
import { parseGoldenFile, type GoldenCase } from '../support/golden-file.ts';
import { renderRequest } from '../support/request-stages.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const CASES = fileURLToPath(new URL('../conformance/cases/', import.meta.url));

/** Cases that the golden files do not cover. */
const EXTRA_CASES = `
-- a computed column
-- GET /sentried?select=id,bonus

-- a function in a generated column and in a default
-- POST /sentried
-- Prefer: return=representation
-- Body: {"id":9}

-- a function in a view
-- GET /sentried_view

-- a function whose result the planner puts into the plan
-- GET /folded_view

-- a condition on a computed column
-- GET /sentried?select=id&bonus=gt.8

-- a planned count
-- GET /sentried_view?shown=gt.1001
-- Prefer: count=planned

-- a plan
-- GET /sentried_view
-- Accept: application/vnd.svc.plan+json; options=verbose
-- with db-plan-enabled=true`;

interface Suite {
  readonly folder: string;
  readonly fixtures: readonly string[];
  /** Minimum number of requests to which the two roles get different responses. */
  readonly different: number;
}

const SUITES: readonly Suite[] = [
  { folder: 'golden/', fixtures: [`${CASES}reading.sql`, `${HERE}golden/fixture.sql`], different: 40 },
  { folder: 'write-golden/', fixtures: [`${CASES}writing.sql`], different: 40 },
];

/** Orders in which the roles send their requests, by number. */
const ORDERS: readonly (readonly number[])[] = [
  [0, 1, 0],
  [1, 0, 1],
];

const RESET_SEQUENCES = `select setval(oid::regclass, 1000, false) from pg_class where relkind = 'S'`;

describe.each(SUITES)('requests of $folder', ({ folder, fixtures, different }) => {
  let database: TestDatabase;
  let cache: SchemaCache;
  let roles: readonly string[] = [];

  beforeAll(async () => {
    database = await createDatabase();
    roles = ['first', 'second'].map((suffix) => `${database.name}_${suffix}`);
    for (const fixture of fixtures) await loadFixture(database.uri, fixture);
    const [first = '', second = ''] = roles;
    const privileges = readFileSync(`${HERE}role-privileges.sql`, 'utf8');
    await runRoleSql(database.uri, privileges.replaceAll('{first}', first).replaceAll('{second}', second));
    cache = buildSchemaCache(await loadRows(database.uri, { schemas: ['api'], extraSearchPath: ['public'] }));
  });
  afterAll(async () => {
    await database.drop();
    await runSql(adminUri(), roles.map((role) => `drop role ${role};`).join(''));
  });

  test.each(['auto', 'force_generic_plan'])('get equal responses on separate connections, plans: %s', async (mode) => {
    const scripts = listScripts();
    const answers = await runSequentially(roles, (_, number) =>
      runSeparately(
        mode,
        scripts.map((pair) => pair[number] ?? never()),
      ),
    );
    const expected = scripts.map((_, index) => answers.map((list) => list[index]));
    for (const order of ORDERS) {
      const session = await openConnection(mode, true);
      const seen = await runSequentially(scripts, (pair) =>
        runAll(
          session,
          order.map((number) => pair[number] ?? never()),
        ),
      );
      expect(seen).toStrictEqual(expected.map((pair) => order.map((number) => pair[number])));
      await session.close();
    }
    expect(expected.filter(([one, other]) => one !== other).length).toBeGreaterThan(different);
  });

  /** Runs the scripts of one role on a dedicated connection. */
  async function runSeparately(mode: string, scripts: readonly TransactionScript[]): Promise<readonly string[]> {
    const session = await openConnection(mode, false);
    const answers = await runAll(session, scripts);
    await session.close();
    return answers;
  }

  /** Renders each request for both roles. */
  function listScripts(): readonly (readonly TransactionScript[])[] {
    const files = readdirSync(HERE + folder).filter((name) => name.endsWith('.golden.sql'));
    const texts = [...files.map((name) => readFileSync(HERE + folder + name, 'utf8')), EXTRA_CASES];
    return texts.flatMap(parseGoldenFile).map((golden) => roles.map((role) => render(golden, role)));
  }

  function render({ line, headers: { Body, ...headers }, options }: GoldenCase, role: string): TransactionScript {
    const named = Object.entries({ 'db-schemas': 'api', 'db-aggregates-enabled': 'true', ...options });
    const environment = Object.fromEntries(
      named.map(([name, value]) => [`SVC_${name.replaceAll('-', '_').toUpperCase()}`, value]),
    );
    const body = Body?.replaceAll(String.raw`\n`, '\n');
    const script = renderRequest(line, headers, { cache, config: resolved({ environment }), body, role });
    if (!script.ok) throw new Error(JSON.stringify(script.error));
    return { ...script.value, end: 'rollback' };
  }

  async function openConnection(mode: string, isPreparing: boolean): Promise<Session> {
    const session = await openSession(database.uri, { isPreparing });
    await rowsOf(session, `set plan_cache_mode = ${mode}`);
    return session;
  }
});

async function runSequentially<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) results.push(await work(item, index));
  return results;
}

function runAll(session: Session, scripts: readonly TransactionScript[]): Promise<readonly string[]> {
  return runSequentially(scripts, async (script) => {
    await rowsOf(session, RESET_SEQUENCES);
    return `${script.segments[0].main.text}: ${show(await runAlone(session, script))}`;
  });
}

function show(reply: ScriptReply): string {
  if (!reply.ok) return JSON.stringify(reply.error);
  const [result] = reply.value;
  if (result.kind === 'lines') return result.lines.map(String).join('\n');
  const { body, ...rest } = result.outcome;
  return `${body instanceof Uint8Array ? Buffer.from(body).toString() : ''} ${JSON.stringify(rest)}`;
}

function never(): never {
  throw new Error('there are two roles');
}

// The conformance cases on reference tables: each table of a fixture that can be one has a copy on each node.
import { readFileSync } from 'node:fs';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { splitScript } from '../../tools/console/split-script.ts';
import type { ConformanceCase, ConformanceSuite } from '../conformance/conformance-case.ts';
import { BASE, fileOf, groupByConfig } from '../conformance/conformance-groups.ts';
import { findProblems } from '../conformance/match-response.ts';
import { type RawResponse, sendStep } from '../conformance/send-step.ts';
import { loginUri } from '../conformance/serve.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { type TestDatabase, connect } from '../support/database.ts';
import { createCitusDatabase } from './citus-database.ts';

/** What Citus does not do, with a part of the responses. */
const LIMITS: readonly { readonly says: string; readonly cases: readonly string[] }[] = [
  // Reads a subquery by the names of its columns, which it makes unique.
  { says: '"id_1":1', cases: ['R108'] },
  // Reads the tables of a view on each node as the role of the request.
  { says: 'permission denied for schema vault', cases: ['R149', 'RX18'] },
  // Plans the statements of SQL functions without the values of their parameters.
  { says: 'could not create distributed plan', cases: ['WX54', 'WX55', 'WX56', 'WX57', 'WX58', 'WX67'] },
  { says: 'must be marked IMMUTABLE', cases: ['WX11', 'WX22'] },
  // Joins no rows that a statement writes, so that embeds are read after it.
  { says: '"parts":[{"id":1,"label":"new"}', cases: ['W287'] },
  { says: 'subqueries are not supported within INSERT queries', cases: ['W124'] },
  { says: 'relation desk is not distributed', cases: ['WX45'] },
  // Its plans are of another form.
  { says: 'Citus Adaptive', cases: ['W245', 'WX70'] },
];

/** Each table after those that it refers to. Citus copies no partitioned table, and none with triggers. */
const TABLES = `
  with recursive candidate as (
    select c.oid from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    where c.relkind = 'r' and not c.relispartition and n.nspname in ('api', 'labs', 'vault', 'yard')
      and not exists (select from pg_trigger as t where t.tgrelid = c.oid and not t.tgisinternal)
      and not exists (select from pg_dist_partition where logicalrelid = c.oid)
  ), level as (
    select oid, 0 as depth from candidate
    union
    select k.conrelid, depth + 1 from level join pg_constraint as k on k.confrelid = level.oid
    where k.contype = 'f' and k.conrelid <> k.confrelid
  )
  select oid::regclass::text as name from level where oid in (table candidate) group by oid order by max(depth), oid`;

const LOGINS = `
  select format('alter role %I login', rolname) as statement from pg_roles
  where rolname in ('web_anon', 'web_user', 'web_iso') and not rolcanlogin`;

async function copyTables(client: Client): Promise<void> {
  const { rows } = await client.query<{ readonly name: string }>(TABLES);
  for (const { name } of rows) await client.query('select create_reference_table($1)', [name]);
}

/** Loads a fixture. Tables have copies before their statistics are taken, which some cases depend on. */
async function loadCopied(client: Client, fixture: string): Promise<void> {
  // Otherwise, Citus would make some tables, and what depends on them, a second time.
  await client.query('set citus.enable_local_reference_table_foreign_keys = off');
  for (const part of splitScript(fixture)) {
    if (part.kind !== 'statement') continue;
    if (part.text.startsWith('analyze ')) await copyTables(client);
    await client.query(part.text);
  }
  await copyTables(client);
  const { rows } = await client.query<{ readonly statement: string }>(LOGINS);
  for (const { statement } of rows) await client.query(statement);
}

for (const name of ['reading', 'writing']) {
  const suite = JSON.parse(readFileSync(fileOf(`${name}.json`), 'utf8')) as ConformanceSuite;
  describe(name, () => {
    let database: TestDatabase;
    let client: Client;
    beforeAll(async () => {
      database = await createCitusDatabase();
      client = await connect(database.uri);
      await loadCopied(client, readFileSync(fileOf(suite.fixture), 'utf8'));
    });
    afterAll(async () => {
      await client?.end();
      await database?.drop();
    });
    for (const [config, cases] of groupByConfig(suite.cases)) {
      describe(config, () => {
        let server: LocalServer;
        beforeAll(async () => {
          const login = { uri: loginUri(database.uri), anon: 'web_anon' };
          const own = { 'db-channel-enabled': false, 'admin-server-port': null };
          server = await startLocalServer(login, {
            ...BASE,
            ...own,
            ...(JSON.parse(config) as ConformanceCase['config']),
          });
        });
        afterAll(() => server?.stop());
        for (const one of cases) {
          test(`${one.id} ${one.name}`, async () => {
            const { problems, texts } = await runCase(one, client, server.port);
            const limit = LIMITS.find(({ cases: ids }) => ids.includes(one.id));
            if (limit === undefined) return expect(problems).toEqual([]);
            expect(problems).not.toEqual([]);
            expect(texts).toContain(limit.says);
          });
        }
      });
    }
  });
}

interface CaseResult {
  readonly problems: readonly string[];
  /** The heads and bodies of all responses. */
  readonly texts: string;
}

async function runCase({ sql, steps, mutates }: ConformanceCase, client: Client, port: number): Promise<CaseResult> {
  if (sql !== undefined) await client.query(sql);
  const answers: RawResponse[] = [];
  const problems: string[] = [];
  for (const step of steps) {
    const answer = await sendStep(port, step, answers);
    answers.push(answer);
    const found = findProblems(step.expect ?? {}, answer);
    problems.push(...found.map((problem) => `${step.method ?? 'GET'} ${step.path ?? ''}: ${problem}`));
  }
  if (mutates) await client.query('select fixture.reset()');
  const texts = answers.map(({ headers, body }) => `${JSON.stringify([...headers])}\n${body.toString('utf8')}`);
  return { problems, texts: texts.join('\n') };
}

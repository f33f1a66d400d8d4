// Requests are rendered to exactly the expected SQL, which PostgreSQL accepts under the settings of the script.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { buildSchemaCache } from '../../src/catalog/decode.ts';
import { EXTENSION_NAMES } from '../../src/contract/extensions.ts';
import type { Statement } from '../../src/contract/transaction.ts';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import type { TransactionScript } from '../../src/sql/transaction-script.ts';
import { loadRows } from '../support/load-cache.ts';
import { resolved } from '../support/resolve-text.ts';
import { createDatabase, loadFixture, runSql } from '../support/database.ts';
import { parseGoldenFile, type GoldenCase } from '../support/golden-file.ts';
import { layoutSql } from './layout-sql.ts';
import { renderRequest } from '../support/request-stages.ts';
import { use } from '../support/use.ts';

const FOLDER = fileURLToPath(new URL('golden/', import.meta.url));
const FIXTURE = fileURLToPath(new URL('../conformance/cases/reading.sql', import.meta.url));

const WITHOUT_STREAMS = EXTENSION_NAMES.filter((extension) => extension !== 'stream').join(',');
/** Default server options. Without streams, arrays of any length are one value, which is shorter to read. */
const DEFAULTS = { 'db-schemas': 'api', 'db-aggregates-enabled': 'true', extensions: WITHOUT_STREAMS };

const database = await use(createDatabase());
await loadFixture(database.uri, FIXTURE);
await runSql(database.uri, readFileSync(`${FOLDER}fixture.sql`, 'utf8'));
const cache = buildSchemaCache(await loadRows(database.uri, { schemas: ['api'], extraSearchPath: ['public'] }));

for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.golden.sql'))) {
  describe(file, () => {
    for (const golden of parseGoldenFile(readFileSync(FOLDER + file, 'utf8'))) {
      test(golden.title, async () => {
        const script = render(golden);
        expect(statementsOf(script).map(printStatement).join('\n')).toBe(golden.expected);
        await explain(script);
      });
    }
  });
}

function render({ line, headers, options }: GoldenCase): TransactionScript {
  const environment = Object.fromEntries(
    Object.entries({ ...DEFAULTS, ...options }).map(([name, value]) => [
      `SVC_${name.replaceAll('-', '_').toUpperCase()}`,
      value,
    ]),
  );
  const script = renderRequest(line, headers, { cache, config: resolved({ environment }) });
  if (!script.ok) throw new Error(JSON.stringify(script.error));
  return script.value;
}

function statementsOf({ segments: [{ main, plannedCount }] }: TransactionScript): readonly Statement[] {
  return plannedCount === undefined ? [main] : [main, plannedCount];
}

function printStatement({ text, parameters }: Statement): string {
  const values = parameters.map((value, index) => `-- $${index + 1} = ${JSON.stringify(value)}`);
  return [layoutSql(text), ...values].join('\n');
}

/** Planning fails unless every name, type, operator and privilege exists. */
async function explain(script: TransactionScript): Promise<void> {
  await withConnection(database.uri, async (client) => {
    await client.query('begin');
    await run(client, script.segments[0].settings);
    for (const { text, parameters } of statementsOf(script)) {
      const plan = await run(client, { text: text.startsWith('EXPLAIN') ? text : `EXPLAIN ${text}`, parameters });
      expect(plan.length).toBeGreaterThan(0);
    }
  });
}

async function run(client: Client, { text, parameters }: Statement): Promise<readonly unknown[]> {
  const { rows } = await client.query<Record<string, unknown>>({ text, values: [...parameters] });
  return rows;
}

// Writes and calls are rendered to exactly the expected SQL, which PostgreSQL plans under the settings of the script.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { buildSchemaCache } from '../../src/catalog/decode.ts';
import type { ParameterValue, Statement } from '../../src/contract/transaction.ts';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import type { TransactionScript } from '../../src/sql/transaction-script.ts';
import { loadRows } from '../support/load-cache.ts';
import { resolved } from '../support/resolve-text.ts';
import { createDatabase, loadFixture } from '../support/database.ts';
import { parseGoldenFile, type GoldenCase } from '../support/golden-file.ts';
import { layoutSql } from './layout-sql.ts';
import { renderRequest } from '../support/request-stages.ts';
import { use } from '../support/use.ts';

const FOLDER = fileURLToPath(new URL('write-golden/', import.meta.url));
const FIXTURE = fileURLToPath(new URL('../conformance/cases/writing.sql', import.meta.url));

const database = await use(createDatabase());
await loadFixture(database.uri, FIXTURE);
const cache = buildSchemaCache(await loadRows(database.uri, { schemas: ['api'], extraSearchPath: ['public'] }));

for (const file of readdirSync(FOLDER)) {
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

/** The header `Body` of a case is the body of the request. */
function render({ line, headers: { Body, ...headers }, options }: GoldenCase): TransactionScript {
  const environment = Object.fromEntries(
    Object.entries({ 'db-schemas': 'api', ...options }).map(([name, value]) => [
      `SVC_${name.replaceAll('-', '_').toUpperCase()}`,
      value,
    ]),
  );
  const body = Body?.replaceAll(String.raw`\n`, '\n');
  const script = renderRequest(line, headers, { cache, config: resolved({ environment }), body });
  if (!script.ok) throw new Error(JSON.stringify(script.error));
  return script.value;
}

function statementsOf({ segments: [{ main, plannedCount }] }: TransactionScript): readonly Statement[] {
  return plannedCount === undefined ? [main] : [main, plannedCount];
}

function printStatement({ text, parameters }: Statement): string {
  return [layoutSql(text), ...parameters.map((value, index) => `-- $${index + 1} = ${printValue(value)}`)].join('\n');
}

function printValue(value: ParameterValue): string {
  if (value === null || typeof value === 'string') return JSON.stringify(value);
  const parameter = toParameter(value);
  return typeof parameter === 'string' ? parameter : `\\x${parameter.toString('hex')}`;
}

/** Planning fails unless every name, type, operator and privilege exists. */
async function explain(script: TransactionScript): Promise<void> {
  await withConnection(database.uri, async (client) => {
    await client.query('begin');
    const [{ settings }] = script.segments;
    await client.query(settings.text, valuesOf(settings));
    for (const statement of statementsOf(script)) {
      const { text } = statement;
      const { rows } = await client.query(text.startsWith('EXPLAIN') ? text : `EXPLAIN ${text}`, valuesOf(statement));
      expect(rows.length).toBeGreaterThan(0);
    }
  });
}

function valuesOf({ parameters }: Statement): (string | Buffer | null)[] {
  return parameters.map((value) => (typeof value === 'string' || value === null ? value : toParameter(value)));
}

function toParameter(value: Exclude<ParameterValue, string | null>): Buffer | string {
  return 'kind' in value ? Buffer.concat(value.bytes) : Buffer.concat(value).toString();
}

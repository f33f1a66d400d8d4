// What the server writes from PostgreSQL's values is what PostgreSQL writes itself: random rows over every type that a
// column can have, in every format, under several settings. `ROWHOUSE_LONG=1` makes 100,000 rows, `ROWHOUSE_FUZZ_SEED`
// chooses them.
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildSchemaCache } from '../../../src/catalog/decode.ts';
import { FallbackStatements } from '../../../src/postgres/execute/fallback-statements.ts';
import { SETTINGS, TEXTS, TYPE_LIST, TYPES } from '../../postgres/support/every-type.ts';
import { Random } from '../../support/generate/random.ts';
import { randomTexts } from '../../support/generate/random-texts.ts';
import { loadRows } from '../../support/load-cache.ts';
import { isLong } from '../../support/long-form.ts';
import { useHarbor } from '../../support/harbor.ts';
import { type LocalServer, startLocalServer } from '../../support/local-server.ts';
import { connect } from '../../support/database.ts';

const SEED = Number(process.env['ROWHOUSE_FUZZ_SEED'] ?? 1);
const ROWS = isLong ? 100_000 : 2000;
const RANDOM_TEXTS = isLong ? 400 : 40;
/** In the short form, one with dates in the style ISO and one without. */
const TRIED = isLong ? SETTINGS : SETTINGS.filter((_, index) => index % 3 === 1);
/** Columns of a table, besides its key. */
const WIDTH = 10;

interface Kept {
  readonly table: string;
  readonly count: number;
  readonly isSpelled: boolean;
}

const harbor = await useHarbor();
let server: LocalServer;
let client: Client;
const tables: string[] = [];

beforeAll(async () => {
  client = await connect(harbor.adminUri);
  await client.query(`set search_path = public; ${TYPES}`);
  const loaded = await loadRows(harbor.adminUri, { schemas: ['public'], extraSearchPath: [] });
  const { spelledTypes } = buildSchemaCache(loaded);
  const texts = [...TEXTS, ...randomTexts(new Random(SEED), RANDOM_TEXTS)];
  const { rows } = await client.query<[string, string]>({ text: TYPE_LIST, rowMode: 'array' });
  const kept: Kept[] = [];
  for (const [index, [type, oid]] of rows.entries()) {
    const table = `kept_${index}`;
    await client.query(`create table ${table} (v ${type})`);
    await client.query('select keep($1, $2, value) from unnest($3::text[]) as texts (value)', [table, type, texts]);
    const counted = await client.query<{ count: string }>(`select count(*) from ${table}`);
    kept.push({ table, count: Number(counted.rows[0]?.count), isSpelled: spelledTypes.has(Number(oid)) });
  }
  const [spelled, others] = [true, false].map((is) => kept.filter(({ isSpelled }) => isSpelled === is));
  const groups = [...cut(spelled ?? []), ...cut(others ?? [])];
  for (const group of groups) await fill(group, Math.ceil(ROWS / groups.length));
  await client.query(`grant select on all tables in schema api to ${harbor.anon}`);
}, 600_000);

afterAll(async () => {
  await client.end();
});

function cut(kept: readonly Kept[]): readonly (readonly Kept[])[] {
  const starts = Array.from({ length: Math.ceil(kept.length / WIDTH) }, (_, index) => index * WIDTH);
  return starts.map((start) => kept.slice(start, start + WIDTH));
}

/** Creates a table of random values; some are null. */
async function fill(group: readonly Kept[], count: number): Promise<void> {
  const name = `rows_${tables.length}`;
  const columns = group.map((_, index) => `p${index}.v as c${index}`).join(', ');
  const pools = group.map(
    (pool, index) => `left join (select v, row_number() over () as k from ${pool.table}) p${index}
      on p${index}.k = (hashint8extended(n, ${SEED * 1000 + index}) & 2147483647) % ${pool.count + 2}`,
  );
  await client.query(
    `create table api.${name} as select n as id, ${columns} from generate_series(1::bigint, ${count}) n ${pools.join(' ')};
    alter table api.${name} add primary key (id);
    create function api.all_${name}() returns setof api.${name} language sql stable as 'table api.${name}'`,
  );
  tables.push(name);
}

const ACCEPT = { json: 'application/json', lines: 'application/x-ndjson', csv: 'text/csv' } as const;

/** The bodies as PostgreSQL writes them. */
const ORACLES: Readonly<Record<keyof typeof ACCEPT, string>> = {
  json: `coalesce(json_agg(r.*), '[]')::text`,
  lines: String.raw`string_agg(replace(row_to_json(r.*)::text, E'\n', ' ') || E'\n', '')`,
  csv: String.raw`string_agg(substr(r::text, 2, length(r::text) - 2), E'\n')`,
};

async function expectedBody(format: keyof typeof ACCEPT, rows: string, names: readonly string[]): Promise<string> {
  const text = `select ${ORACLES[format]} as body from (${rows}) r`;
  const body = (await client.query<{ body: string }>(text)).rows[0]?.body ?? '';
  return format === 'csv' ? `${names.join(',')}\n${body}` : body;
}

/** Shows where two texts differ, which may be long. */
function differenceOf(actual: string, expected: string): string | undefined {
  if (actual === expected) return undefined;
  let at = 0;
  while (actual[at] === expected[at]) at += 1;
  return `at ${at}: ${actual.slice(at - 60, at + 60)} instead of ${expected.slice(at - 60, at + 60)}`;
}

test.each(TRIED.map((settings) => [JSON.stringify(settings), settings] as const))(
  `R9 random rows from seed ${SEED} are the same in every format with %s`,
  async (_, settings) => {
    const isIso = !settings.some(([name, value]) => name === 'datestyle' && !value.startsWith('iso'));
    await client.query('reset all');
    for (const [name, value] of settings) {
      await harbor.sql(`alter role ${harbor.anon} set ${name} = '${value}'`);
      await client.query('select set_config($1, $2, false)', [name, value]);
    }
    const repeated = vi.spyOn(FallbackStatements.prototype, 'note');
    server = await startLocalServer(harbor, { 'db-config': true });
    try {
      for (const table of tables) {
        const { fields } = await client.query(`select * from api.${table} limit 0`);
        const names = fields.map(({ name }) => name);
        for (const format of ['json', 'lines', 'csv'] as const)
          for (const [source, select] of [
            [table, '*'],
            [`rpc/all_${table}`, names.join(',')],
          ]) {
            const path = `/${source}?select=${select}&order=id`;
            const answer = await server.get(path, { headers: { Accept: ACCEPT[format] } });
            const expected = await expectedBody(format, `select * from api.${table} order by id`, names);
            expect([path, format, answer.status, differenceOf(answer.text, expected)]).toEqual([
              path,
              format,
              200,
              undefined,
            ]);
          }
      }
      // Only dates in another style are left to PostgreSQL.
      expect(repeated.mock.calls.length > 0).toBe(!isIso);
    } finally {
      await server.stop();
      await harbor.sql(`alter role ${harbor.anon} reset all`);
      repeated.mockRestore();
    }
  },
  isLong ? 1_200_000 : undefined,
);

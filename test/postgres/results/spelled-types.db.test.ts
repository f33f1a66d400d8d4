// The server writes values of every type as JSON byte for byte as PostgreSQL does, under any settings. The oracle is
// PostgreSQL's json_agg in the same session.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildSchemaCache } from '../../../src/catalog/decode.ts';
import type { MainStatement } from '../../../src/contract/transaction.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import { createDatabase, runSql, type TestDatabase } from '../../support/database.ts';
import { loadRows } from '../../support/load-cache.ts';
import { bodyOf, openSession, rowsOf } from '../support/connect-test.ts';
import { runAlone } from '../support/run-alone.ts';
import { readScript } from '../support/scripts.ts';
import { SETTINGS, TEXTS, TYPE_LIST, TYPES } from '../support/every-type.ts';

let database: TestDatabase;
let session: Session;
let spelledTypes: ReadonlySet<number>;
/** Names of types, and whether the server can spell them. */
let types: readonly (readonly [name: string, oid: number, isSpelled: boolean])[];

beforeAll(async () => {
  database = await createDatabase();
  await runSql(database.uri, TYPES);
  spelledTypes = buildSchemaCache(
    await loadRows(database.uri, { schemas: ['public'], extraSearchPath: [] }),
  ).spelledTypes;
  session = await openSession(database.uri);
  const texts = TEXTS.map((text) => `('${text.replaceAll("'", "''")}')`).join(', ');
  const rows = await rowsOf(session, TYPE_LIST);
  types = rows.map(([name, oid]) => [name ?? '', Number(oid), spelledTypes.has(Number(oid))]);
  for (const [index, [name]] of types.entries()) {
    await rowsOf(session, `create table ${tableOf(index)} (v ${name})`);
    const text = `select keep('${tableOf(index)}', $1, value) from (values ${texts}) as texts (value)`;
    await rowsOf(session, text, [name]);
  }
}, 120_000);

afterAll(async () => {
  await session.close();
  await database.drop();
});

/** The table with the values of a type. */
function tableOf(index: number): string {
  return `kept_${index}`;
}

/** The rows in both forms. */
function statement(rows: string, shown: string): MainStatement {
  return {
    text: `select '1', null, null, null, null, null, current_setting('datestyle') like 'ISO%', ${shown} from (${rows}) r`,
    parameters: [],
    delivery: { kind: 'countedRows', format: 'objects', spelledTypes, isLong: false },
    general: {
      text: `select 1, null::bigint, null::text, null::text, coalesce(json_agg(r.*), '[]') from (${rows}) r`,
      delivery: { kind: 'value', encoding: 'text' },
    },
  };
}

async function run(main: MainStatement, settings: readonly (readonly [string, string])[]): Promise<string | undefined> {
  const list = settings.map(([name, value]) => `set_config('${name}', '${value}', true)`);
  const own = { text: `select ${['1', ...list].join(', ')}`, parameters: [] };
  return bodyOf(await runAlone(session, readScript(main, { settings: own, mayStream: false })));
}

/** In other styles than ISO, PostgreSQL writes their values: date, timestamp, timestamptz. */
const DATES: ReadonlySet<number> = new Set([1082, 1114, 1184]);

/** Hides the general form, so that nothing is repeated. */
function withoutGeneral(main: MainStatement): MainStatement {
  return { ...main, general: undefined };
}

function oracle(main: MainStatement): MainStatement {
  return { text: main.general?.text ?? '', delivery: { kind: 'value', encoding: 'text' }, parameters: [] };
}

describe('R9 values of every type', () => {
  test.each(SETTINGS.map((settings) => [JSON.stringify(settings), settings] as const))(
    'are spelled as PostgreSQL does with %s',
    async (_, settings) => {
      const isIso = !settings.some(([name, value]) => name === 'datestyle' && !value.startsWith('iso'));
      let spelled = 0;
      for (const [index, [name, oid, isSpelled]] of types.entries()) {
        const rows = `select v as "v ""é\t" from ${tableOf(index)} union all select null`;
        const main = statement(rows, isSpelled ? 'r.*' : 'to_json(r."v ""é\t") as "v ""é\t"');
        const expected = await run(oracle(main), settings);
        expect([name, await run(main, settings)]).toEqual([name, expected]);
        const isDate = DATES.has(oid);
        if (!isIso && isDate) continue;
        expect([name, await run(withoutGeneral(main), settings)]).toEqual([name, expected]);
        spelled += isSpelled ? 1 : 0;
      }
      expect(spelled).toBeGreaterThan(60);
    },
    120_000,
  );

  test('most types have values, and exactly arrays, rows and types with casts are left to PostgreSQL', async () => {
    const names = (condition: boolean): string[] => types.flatMap(([name, , is]) => (is === condition ? [name] : []));
    const filled = types.map((_, index) => `select count(*) > 0 from ${tableOf(index)}`).join(' union all ');
    const [[count] = []] = await rowsOf(
      session,
      `select count(*) from (${filled}) as filled (is_filled) where is_filled`,
    );
    expect(Number(count)).toBeGreaterThan(130);
    expect(names(true)).toEqual(
      expect.arrayContaining([
        'integer',
        'mood',
        'feeling',
        'smaller',
        'plain',
        'citext',
        'ltree',
        'span',
        'moment',
        '"char"',
        'money',
        'xml',
        'regclass',
        'name',
      ]),
    );
    expect(names(false)).toEqual(
      expect.arrayContaining([
        'hstore',
        'shown',
        'shown_too',
        'pair',
        'pairs',
        'words',
        'integer[]',
        'int2vector',
        'oidvector',
      ]),
    );
    expect(
      names(false)
        .filter((name) => !/\[\]$|vector$/u.test(name))
        .sort(),
    ).toEqual(['hstore', 'pair', 'pairs', 'shown', 'shown_too', 'words'].sort());
  });
});

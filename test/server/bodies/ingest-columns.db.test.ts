// Long CSV bodies whose later batches are sent as one array per column (`docs/decisions/ingest.md`). Rows and errors
// must equal those of the same records in a short body, which is sent as JSON.
import { beforeEach, describe, expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { type Answer, startLocalServer } from '../../support/local-server.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';

/** A type, values that it accepts, and one that it rejects. */
const TYPES: readonly (readonly [type: string, good: readonly string[], bad: string])[] = [
  ['smallint', ['0', '-32768', ' 7 ', '0x1F'], '32768'],
  ['integer', ['1', '-2147483648', '1_000'], '1.0'],
  ['bigint', ['9223372036854775807', '+3'], '9223372036854775808'],
  ['numeric', ['0.10000000000000000001', 'NaN', '1e-3', 'Infinity'], 'one'],
  ['numeric(6,2)', ['1.005', '-9999.99', '0'], '10000'],
  ['real', ['1.5', '-0', '1e10'], '1e40'],
  ['double precision', ['0.1', 'inf', '-1e-300'], ''],
  ['boolean', ['t', 'no', 'TRUE', '0'], 'maybe'],
  ['text', ['', 'null', '{}', 'a,b', '\\', '\\N', '"', 'é 🚤', '\u0001\t', ' x ', "'"], ''],
  ['varchar(5)', ['', 'ab   ', 'abcde     ', 'é\\"é'], 'abcdef'],
  ['character varying', ['x', ''], ''],
  ['char(3)', ['a', 'abc   ', ''], 'abcd'],
  ['uuid', ['00000000-0000-0000-0000-000000000001', '{A0EEBC99-9C0B4EF8-BB6D6BB9-BD380A11}'], 'x'],
  ['date', ['2026-01-02', 'Jan 3 2026', 'infinity'], '2026-02-30'],
  ['time', ['03:04:05.678901', '3:04 PM'], '25:00'],
  ['time(1) with time zone', ['03:04:05.678+02'], 'noon'],
  ['timestamp(0)', ['2026-01-02 03:04:05.6', 'epoch'], 'soon'],
  ['timestamptz', ['2026-01-02T03:04:05Z', '2026-01-02 03:04+05:30'], '2026-13-01'],
  ['bytea', ['\\xDEADbeef', 'a\\\\b', 'plain'], '\\xZZ'],
  ['inet', ['10.0.0.1', '::1/64'], '10.0.0.256'],
  ['cidr', ['10.0.0.0/8'], '10.0.0.1/8'],
];
/** Types whose batches are always sent as JSON. */
const OTHERS: readonly (readonly [type: string, good: readonly string[], bad: string])[] = [
  ['int[]', ['{1,2}', '{{1},{2}}', '{}'], '{1'],
  ['text[]', ['{a,"b c",NULL}'], 'a'],
  ['json', ['{"a":1}', ''], '\\u0000'],
  ['jsonb', ['text', '1'], '\\u0000'],
  ['interval', ['1 day', 'P1Y'], 'long'],
  ['interval year to month', ['1', '1-2'], 'long'],
  ['bit(3)', ['101'], '1'],
  ['money', ['12.34'], 'much'],
  ['point', ['(1,2)'], '1'],
  ['box', ['(1,2),(3,4)'], '1'],
  ['int4range', ['[1,3)', 'empty'], '[3,1)'],
];
const ALL = [...TYPES, ...OTHERS];
const FILLING = 'x'.repeat(1000);
/** Makes a body longer than 1 MiB, and so several batches. */
const LONG = 1300;

const harbor = await useHarbor();

for (const [index, [type]] of ALL.entries())
  await harbor.sql(`create table api.t${index} (id int, "the ""value""" ${type}, filling text)`);
await harbor.sql(`
    create table api.defaults (id int primary key, "the ""value""" text default 'none', filling text not null);
    grant select, insert, update on all tables in schema api to ${harbor.anon};`);
const server = await use(startLocalServer(harbor));

function send(path: string, body: string, prefer?: string): Promise<Answer> {
  const headers = { 'Content-Type': 'text/csv', ...(prefer === undefined ? {} : { Prefer: prefer }) };
  return server.get(path, { method: 'POST', headers, body });
}

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details: string | null;
}

const HEADER = 'filling,"the ""value""",id\n';

function record(id: number, value: string | null, filling = ''): string {
  const quoted = value === null ? 'NULL' : `"${value.replaceAll('"', '""')}"`;
  return `${filling},${quoted},${id}\n`;
}

async function stored(table: string): Promise<readonly unknown[]> {
  return harbor.query(`select distinct id % 100, "the ""value"""::text from api.${table} order by 1, 2`);
}

describe.each(ALL.map(([type, good, bad], index) => ({ type, good, bad, table: `t${index}` })))(
  '$type',
  ({ good, bad, table }) => {
    beforeEach(() => harbor.sql(`truncate api.${table}`));
    const values = [...good, null];

    test('B43 stores the same values as a short body', async () => {
      const short = values.map((value, index) => record(index, value)).join('');
      expect(await send(`/${table}`, HEADER + short)).toMatchObject({ status: 201, text: '' });
      const expected = await stored(table);
      expect(expected).toHaveLength(values.length);
      await harbor.sql(`truncate api.${table}`);
      const long = Array.from({ length: LONG }, (_, row) => {
        const index = row % values.length;
        return record(100 * row + index, values[index] ?? null, FILLING);
      });
      expect(await send(`/${table}`, HEADER + long.join(''))).toMatchObject({
        status: 201,
        text: '',
        headers: { 'content-range': `*/${LONG}` },
      });
      expect(await stored(table)).toEqual(expected);
    });

    test('B44 reports the same errors as a short body, with the line', async () => {
      const short = await send(`/${table}`, HEADER + record(1, bad));
      const long = Array.from({ length: LONG }, (_, row) => record(row, good[0] ?? null, FILLING)).join('');
      const answer = await send(`/${table}`, HEADER + long + record(0, bad) + record(1, null));
      const { code, message, details } = JSON.parse(short.text || '{}') as Partial<ErrorBody>;
      if (code === undefined) return expect([short.status, answer.status]).toEqual([201, 201]);
      expect(answer.status).toBe(short.status);
      const error = JSON.parse(answer.text) as ErrorBody;
      expect(error).toMatchObject({ code, message });
      expect(error.details).toBe(`${details == null ? '' : `${details} `}Line ${LONG + 2} of the body`);
      expect(await harbor.query(`select count(*)::int from api.${table}`)).toEqual([[0]]);
    });
  },
);

describe('several errors', () => {
  test('B44 in one batch: the error of the first row is reported', async () => {
    const rows = Array.from({ length: LONG }, (_, row) => record(row, '1', FILLING));
    const body = [HEADER, ...rows, 'x,"1",first\n', 'x,"second",1\n'].join('');
    const answer = await send('/t1', body);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
      400,
      {
        code: '22P02',
        message: 'invalid input syntax for type integer: "first"',
        details: `Line ${LONG + 2} of the body`,
      },
    ]);
  });
});

test('B43 a user function with the name of an array function is not called', async () => {
  await harbor.sql(`
    create function api.unnest(text[]) returns setof text language sql as $$ select 'of the user' $$;
    create domain api.bpchar as pg_catalog.bpchar check (value = 'q');
    create table api.alone (v text, c char(3));
    grant insert on api.alone to ${harbor.anon};
    notify svc, 'reload schema';`);
  const rows = Array.from({ length: LONG }, (_, row) => `${FILLING}${row % 7}\n`).join('');
  await until(async () => (await send('/alone', 'v\n')).status === 201);
  expect(await send('/alone', `v\n${rows}`)).toMatchObject({ status: 201, headers: { 'content-range': `*/${LONG}` } });
  expect(await harbor.query('select count(*)::int, count(distinct v)::int from api.alone')).toEqual([[LONG, 7]]);
  const pairs = Array.from({ length: LONG }, () => `${FILLING},ab\n`).join('');
  expect((await send('/alone', `v,c\n${pairs}`)).status).toBe(201);
});

describe('rows with keys', () => {
  const body = [HEADER, ...Array.from({ length: LONG }, (_, row) => record(row % 1000, `${row}`, FILLING))].join('');
  beforeEach(() => harbor.sql('truncate api.defaults'));

  test('B43 with ignore-duplicates, existing rows are kept and not counted', async () => {
    expect(await send('/defaults', body, 'resolution=ignore-duplicates')).toMatchObject({
      status: 201,
      headers: { 'content-range': '*/1000' },
    });
    const kept = await harbor.query('select count(*)::int, bool_and("the ""value""" = id::text) from api.defaults');
    expect(kept).toEqual([[1000, true]]);
  });

  test('B44 an existing key is reported with its line', async () => {
    await harbor.sql(`insert into api.defaults (id, filling) values (1200, '')`);
    const rows = Array.from({ length: LONG }, (_, row) => record(row, 'x', FILLING));
    const answer = await send('/defaults', HEADER + rows.join(''));
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
      409,
      { code: '23505', details: 'Key (id)=(1200) already exists. Line 1202 of the body' },
    ]);
  });

  test('B44 a duplicate of a key in an earlier batch is reported, whatever else is wrong', async () => {
    const rows = Array.from({ length: LONG }, (_, row) =>
      record(row === 1250 ? 5 : row, 'x', row === 1260 ? 'NULL' : FILLING),
    );
    const answer = await send('/defaults', HEADER + rows.join(''));
    const error = JSON.parse(answer.text) as ErrorBody;
    expect([answer.status, error.code]).toEqual([409, '23505']);
    const range = /^Key \(id\)=\(5\) already exists\. Between lines (\d+) and (\d+) /u;
    const [, first, last] = range.exec(error.details ?? '') ?? [];
    expect(Number(first)).toBeLessThanOrEqual(1252);
    expect(Number(last)).toBeGreaterThanOrEqual(1252);
  });

  test('B44 a NULL in a NOT NULL column is reported with its line', async () => {
    const rows = Array.from({ length: LONG }, (_, row) => record(row, 'x', row === 1200 ? 'NULL' : FILLING));
    const answer = await send('/defaults', HEADER + rows.join(''));
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([400, { code: '23502' }]);
    expect((JSON.parse(answer.text) as ErrorBody).details).toMatch(/ Line 1202 of the body$/u);
  });
});

test('B43 null is inserted as NULL with array_nulls = off', async () => {
  await harbor.sql(`alter database ${harbor.database} set array_nulls = off`);
  const other = await startLocalServer(harbor);
  try {
    await harbor.sql('truncate api.t1');
    const rows = Array.from({ length: LONG }, (_, row) => record(row, null, FILLING));
    const headers = { 'Content-Type': 'text/csv' };
    const answer = await other.get('/t1', { method: 'POST', headers, body: HEADER + rows.join('') });
    expect(answer).toMatchObject({ status: 201, headers: { 'content-range': `*/${LONG}` } });
  } finally {
    await other.stop();
    await harbor.sql(`alter database ${harbor.database} reset array_nulls`);
  }
});

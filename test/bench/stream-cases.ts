// The cases of `npm run bench -- streams`: response bodies by format, each with the psql command for the same rows.

export interface StreamCase {
  readonly name: string;
  readonly accept: string;
  /** Renders the command that psql runs. */
  readonly renderCopy: (relation: string) => string;
  /** Approximate size. */
  readonly bytesPerRow: number;
}

export const STREAM_CASES: readonly StreamCase[] = [
  {
    name: 'NDJSON out',
    accept: 'application/x-ndjson',
    renderCopy: (relation) => `COPY (SELECT row_to_json(t) FROM ${relation} t) TO STDOUT`,
    bytesPerRow: 433,
  },
  {
    name: 'CSV out',
    accept: 'text/csv',
    renderCopy: (relation) => `COPY (SELECT * FROM ${relation}) TO STDOUT (FORMAT csv)`,
    bytesPerRow: 391,
  },
  {
    name: 'JSON array out',
    accept: 'application/json',
    renderCopy: (relation) => `COPY (SELECT row_to_json(t) FROM ${relation} t) TO STDOUT`,
    bytesPerRow: 436,
  },
];

/** Rows in the base table, which the other relations multiply. */
const BASE_ROWS = 10_000;

export const BASE_TABLE: string = `
  CREATE TABLE bench_rows AS
    SELECT n AS id, md5(n::text) AS code, repeat(md5((n + 1)::text), 10) AS note, n * 1.25 AS amount,
      timestamptz '2026-01-01' + n * interval '1 second' AS at
    FROM generate_series(1, ${BASE_ROWS}) n;
  ALTER TABLE bench_rows ADD PRIMARY KEY (id);`;

export type RelationKind = 'table' | 'view';

/** Returns statements that create a relation with about the given number of rows; run them one by one. */
export function renderRelation(kind: RelationKind, name: string, rows: number): readonly string[] {
  const repeats = Math.ceil(rows / BASE_ROWS) - 1;
  const source = `SELECT n * ${BASE_ROWS} + r.id AS id, code, note, amount, at FROM generate_series(0, ${repeats}) n, bench_rows r`;
  if (kind === 'view') return [`CREATE VIEW ${name} AS ${source}`];
  return [`CREATE TABLE ${name} AS ${source}`, `ALTER TABLE ${name} ADD PRIMARY KEY (id)`, `VACUUM (ANALYZE) ${name}`];
}

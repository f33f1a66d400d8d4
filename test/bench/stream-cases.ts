// What `npm run bench:streams` measures: bodies out, by format, each beside what psql does for the same rows.

export interface StreamCase {
  readonly name: string;
  readonly accept: string;
  /** What psql runs; `view` has the rows. */
  readonly renderCopy: (view: string) => string;
  /** About. */
  readonly bytesPerRow: number;
}

export const STREAM_CASES: readonly StreamCase[] = [
  {
    name: 'NDJSON out',
    accept: 'application/x-ndjson',
    renderCopy: (view) => `COPY (SELECT row_to_json(t) FROM ${view} t) TO STDOUT`,
    bytesPerRow: 433,
  },
  {
    name: 'CSV out',
    accept: 'text/csv',
    renderCopy: (view) => `COPY (SELECT * FROM ${view}) TO STDOUT (FORMAT csv)`,
    bytesPerRow: 391,
  },
  {
    name: 'JSON array out',
    accept: 'application/json',
    renderCopy: (view) => `COPY (SELECT row_to_json(t) FROM ${view} t) TO STDOUT`,
    bytesPerRow: 436,
  },
];

/** Rows in the table that all views multiply. */
const BASE_ROWS = 10_000;

export const BASE_TABLE: string = `
  CREATE TABLE bench_rows AS
    SELECT n AS id, md5(n::text) AS code, repeat(md5((n + 1)::text), 10) AS note, n * 1.25 AS amount,
      timestamptz '2026-01-01' + n * interval '1 second' AS at
    FROM generate_series(1, ${BASE_ROWS}) n;
  ALTER TABLE bench_rows ADD PRIMARY KEY (id);`;

/** A view of so many rows, as near as the table divides them. */
export function renderView(name: string, rows: number): string {
  return `CREATE VIEW ${name} AS SELECT r.* FROM generate_series(1, ${Math.ceil(rows / BASE_ROWS)}) n, bench_rows r;`;
}

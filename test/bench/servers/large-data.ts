// A large table for the cases of `--large`: skewed, indexed, and with a policy that shows each account its own rows.

/** The first tenth of the rows belongs to account 1; the others spread over 100,000 accounts, the lower ones having most of them. */
export function renderLargeTable(rows: number): string {
  return `
  SELECT setseed(0.5);
  CREATE TABLE bench_event AS
    SELECT n AS id,
      CASE WHEN n <= ${rows / 10} THEN 1 ELSE floor(exp(random() * ln(100000)))::int END AS account,
      (ARRAY['view', 'view', 'view', 'view', 'view', 'view', 'cart', 'cart', 'sale', 'refund'])[1 + n % 10] AS kind,
      round((random() * 100)::numeric, 2) AS amount,
      timestamptz '2026-01-01' + n * interval '1 second' AS at
    FROM generate_series(1, ${rows}) n;
  ALTER TABLE bench_event ADD PRIMARY KEY (id);
  CREATE INDEX ON bench_event (account, at);
  ALTER TABLE bench_event ENABLE ROW LEVEL SECURITY;
  CREATE POLICY own_events ON bench_event
    USING (account = (SELECT (current_setting('request.jwt.claims', true)::json ->> 'account')::int));`;
}

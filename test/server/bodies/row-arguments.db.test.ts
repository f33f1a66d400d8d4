// Functions whose columns PostgreSQL can compute from arguments alone, while it plans: not once for each pair of columns.
import { expect, test } from 'vitest';
import { useHarbor } from '../../support/harbor.ts';
import { startLocalServer } from '../../support/local-server.ts';
import { use } from '../../support/use.ts';

const harbor = await useHarbor();

const COLUMNS = Array.from({ length: 10 }, (_, index) => `c${index}`);

const row = COLUMNS.map((name) => `${name} text`).join(', ');
const select = (value: string): string => COLUMNS.map((name) => `api.read(${value}, '${name}')`).join(', ');
await harbor.sql(`
    create type api.wide as (${row});
    create table api.wide_row (${row});
    create function api.read(json, text) returns text immutable language plpgsql as $$ begin
      if $1 ->> $2 is distinct from $2 then raise 'not the document'; end if;
      return set_config('test.reads', (1 + coalesce(nullif(current_setting('test.reads', true), ''), '0')::int)::text, true);
    end $$;
    create function api.of_type(json) returns setof api.wide stable language sql as $$ select ${select('$1')} $$;
    create function api.of_table(json) returns setof api.wide_row stable language sql as $$ select ${select('$1')} $$;
    create function api.named(doc json) returns setof api.wide_row stable language sql as $$ select ${select('doc')} $$;
    create function api.from_text(text) returns setof api.wide stable language sql
      as $$ select ${select('$1::json')} $$`);
const server = await use(startLocalServer(harbor, { 'db-pool': 1 }));

const DOCUMENT = JSON.stringify(Object.fromEntries(COLUMNS.map((name) => [name, name])));
const GIVEN = `doc=${encodeURIComponent(DOCUMENT)}`;

test.each([
  ['POST', '/rpc/of_type', 'application/json', DOCUMENT],
  ['POST', '/rpc/of_table', 'application/json', DOCUMENT],
  ['POST', '/rpc/of_table?c1=not.is.null', 'application/json', DOCUMENT],
  ['POST', '/rpc/from_text', 'text/plain', DOCUMENT],
  ['POST', '/rpc/named', 'application/json', `{"doc": ${DOCUMENT}}`],
  ['QUERY', '/rpc/named', 'application/x-www-form-urlencoded', GIVEN],
  ['GET', `/rpc/named?${GIVEN}`, '', ''],
])('%s %s computes each column once', async (method, path, type, body) => {
  const { status, text } = await server.get(path, {
    method,
    ...(body === '' ? {} : { headers: { 'Content-Type': type }, body }),
  });
  const [row, ...others] = JSON.parse(text) as Readonly<Record<string, string>>[];
  expect([status, others, Object.keys(row ?? {})]).toEqual([200, [], COLUMNS]);
  // Each value is the number of computed values so far. A filter computes its own.
  expect(Math.max(...Object.values(row ?? {}).map(Number))).toBeLessThanOrEqual(COLUMNS.length + 1);
});

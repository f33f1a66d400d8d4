// The statement that queries what a role may see of a schema: its result, and that its plan is cached.
import { expect, test } from 'vitest';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import { renderVisibility } from '../../src/sql/render-visibility.ts';
import { createDatabase, runSql } from '../support/database.ts';
import { use } from '../support/use.ts';

const database = await use(createDatabase());
await runSql(database.uri, `create schema api; create function api.one() returns int return 1`);

test('sees functions created in the same transaction, but not those of the same name in other schemas', async () => {
  const { text, parameters } = renderVisibility({ schema: 'api', mode: 'follow-privileges' });
  const names = await withConnection(database.uri, async (client) => {
    await client.query(
      'begin; create function api.two() returns int return 2; create function public.one() returns int return 1',
    );
    const { rows } = await client.query<{ body: string }>(text, [...parameters]);
    const { routines } = JSON.parse(rows[0]!.body) as { routines: readonly (readonly string[])[] };
    return routines.map(([schema, name]) => `${schema}.${name}`);
  });
  expect(names).toEqual(['api.one', 'api.two']);
});

test('lists functions of a built-in schema', async () => {
  const { text, parameters } = renderVisibility({
    schema: 'pg_catalog',
    mode: 'follow-privileges',
  });
  const count = await withConnection(database.uri, async (client) => {
    const { rows } = await client.query<{ body: string }>(text, [...parameters]);
    return (JSON.parse(rows[0]!.body) as { routines: readonly unknown[] }).routines.length;
  });
  expect(count).toBeGreaterThan(2000);
});

test('switches to a generic plan', async () => {
  const { text, parameters } = renderVisibility({ schema: 'api', mode: 'follow-privileges' });
  const plans = await withConnection(database.uri, async (client) => {
    for (let run = 0; run < 7; run += 1) await client.query({ name: 'seen', text, values: [...parameters] });
    return (await client.query('select generic_plans::int, custom_plans::int from pg_prepared_statements')).rows;
  });
  expect(plans).toEqual([{ generic_plans: 2, custom_plans: 5 }]);
});

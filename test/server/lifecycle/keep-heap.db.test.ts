// After a large response, a backend is made to keep its memory for the next one.
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { useHarbor } from '../../support/harbor.ts';
import { type LocalServer, useServers } from '../../support/local-server.ts';

const harbor = await useHarbor();
const start = useServers(harbor);
await harbor.sql(`
  create function api.text_of(size int) returns text language sql stable as $$ select repeat('x', size) $$`);

const LAST_STATEMENTS = `
  select query ~ 'octet_length' from pg_stat_activity
  where usename = '${harbor.login}' and backend_type = 'client backend' and query !~ '^LISTEN'`;

/** Whether the statement is the last one of the only connection. */
const isKept = async (): Promise<boolean> => {
  const rows = await harbor.query(LAST_STATEMENTS);
  return rows.some(([isLast]) => isLast === true);
};

const read = async (server: LocalServer, size: number): Promise<void> => {
  expect((await server.get(`/rpc/text_of?size=${size}`)).text).toHaveLength(size + 2);
};

test('once per connection, behind the first large response', async () => {
  const server = await start({ 'db-pool': 1, 'db-channel-enabled': false });
  await read(server, 1000);
  expect(await isKept()).toBe(false);
  await read(server, 1_000_000);
  await until(isKept, { why: () => 'the statement' });
  await read(server, 1_000_000);
  await read(server, 10);
  expect(await isKept()).toBe(false);
});

test.each([{ 'db-keep-heap': false }, { 'db-prepared-statements': false }])('not with %j', async (options) => {
  const server = await start({ 'db-pool': 1, 'db-channel-enabled': false, ...options });
  await read(server, 1_000_000);
  await read(server, 1_000_000);
  await read(server, 10);
  const texts = await harbor.query(
    `select query from pg_stat_activity where usename = '${harbor.login}' and query ~ 'octet_length'`,
  );
  expect(texts).toEqual([]);
});

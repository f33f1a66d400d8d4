// Live rows with several worker processes, which share the replication connection of the primary process.
import { expect, test } from 'vitest';
import { type EventClient, openEvents } from '../../support/event-client.ts';
import { until } from '../../support/until.ts';
import { useServers } from '../../support/local-server.ts';
import { PUBLICATION, useLiveHarbor } from './live-harbor.ts';

const harbor = await useLiveHarbor(() => `create publication ${PUBLICATION} for table api.berth`);
const start = useServers(harbor);
const server = await start({ 'live-publication': PUBLICATION, 'server-workers': 2 });

/** New connections go to the workers in turn. */
async function open(): Promise<EventClient> {
  const client = await openEvents(server.port, '/berth?id=gt.100', { headers: {} });
  await client.first(1);
  return client;
}

const epochOf = ({ events }: EventClient): string | undefined => events[0]?.id?.split('-')[0];
const countSlots = async (): Promise<unknown> =>
  (await harbor.query('select count(*)::int from pg_replication_slots'))[0]?.[0];

test('B79 workers share one replication connection, and all of their streams get every change', async () => {
  expect(await countSlots()).toBe(0);
  const all = [await open(), await open(), await open()];
  expect(new Set(all.map(epochOf)).size).toBe(2);
  expect(await countSlots()).toBe(1);
  await harbor.sql(`insert into api.berth values (101, 'Both')`);
  for (const client of all) expect((await client.first(2))[1]?.data).toContain('"Both"');
  expect(await server.metric('live_streams')).toBe(3);
});

test('B79b after a lost connection, all workers read what they missed', async () => {
  const all = [await open(), await open()];
  await harbor.sql(`select pg_terminate_backend(active_pid) from pg_replication_slots;
    insert into api.berth values (102, 'Lost')`);
  for (const client of all) expect((await client.first(2))[1]?.data).toContain('"Lost"');
  await until(async () => (await countSlots()) === 1);
});

test('B79c a worker that takes over reads the rows again', async () => {
  const first = await open();
  const second = await open();
  const id = first.events[0]?.id ?? '';
  const again = await openEvents(server.port, '/berth?id=gt.100', { headers: { 'Last-Event-ID': id } });
  const other = await openEvents(server.port, '/berth?id=gt.100', { headers: { 'Last-Event-ID': id } });
  await harbor.sql(`insert into api.berth values (103, 'Next')`);
  await second.first(2);
  const names = await Promise.all(
    [again, other].map(async (client) => {
      await until(() => client.events.some(({ data }) => data.includes('"Next"')));
      return client.events.map(({ name }) => name);
    }),
  );
  expect(new Set(names.map(([name]) => name))).toEqual(new Set(['change', 'reset']));
});

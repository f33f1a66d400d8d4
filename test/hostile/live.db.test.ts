// Attacks on live rows: after each, another stream gets its changes, a new one opens, and the memory is within its limit.
import { expect, test } from 'vitest';
import { PUBLICATION, useLiveHarbor } from '../server/live/live-harbor.ts';
import { useServers } from '../support/local-server.ts';
import { type EventClient, openEvents } from '../support/event-client.ts';
import { isLong } from '../support/long-form.ts';
import { until } from '../support/until.ts';
import { LIVE_ATTACKS, MAX_BYTES } from './live-attacks.ts';

const harbor = await useLiveHarbor(
  ({ anon }) => `
  create table api.item (id int primary key, note text);
  insert into api.item values (1, 'one');
  create table api.page (id int primary key, note text);
  insert into api.page select n, repeat('x', 20000) from generate_series(1, 100) n;
  grant select on all tables in schema api to ${anon};
  create publication ${PUBLICATION} for table api.item, api.page;
`,
);
const start = useServers(harbor);
const server = await start({ 'live-publication': PUBLICATION, 'live-max-bytes': MAX_BYTES, 'live-interval': 20 });

function open(path: string, headers: Record<string, string> = {}): Promise<EventClient> {
  return openEvents(server.port, path, { headers });
}

test.each(LIVE_ATTACKS.map((attack) => [attack.name, attack] as const))(
  'B78r %s',
  { timeout: 300_000 },
  async (name, { run }) => {
    await until(async () => ((await server.metric('live_streams')) ?? 0) === 0);
    const witness = await open('/item?id=eq.1');
    await witness.first(1);
    const before = witness.events.length;
    await run({ harbor, server, open }, isLong);
    await harbor.sql(`update api.item set note = '${name.length}' || clock_timestamp() where id = 1`);
    await witness.first(before + 1);
    expect(witness.end).toBeUndefined();
    const other = await open('/item?id=lte.1&order=id');
    expect((await other.first(1))[0]?.name).toBe('rows');
    expect(await server.metric('live_bytes')).toBeLessThanOrEqual(MAX_BYTES);
  },
);

// Attacks on live rows, as data: what clients send and do. The test checks what must hold after every attack: another
// stream still gets its changes, a new one opens, and the server holds no more than its limit.
import assert from 'node:assert/strict';
import type { EventClient } from '../support/event-client.ts';
import { until } from '../support/until.ts';
import type { Harbor } from '../support/harbor.ts';
import type { LocalServer } from '../support/local-server.ts';

/** `live-max-bytes` of the server. */
export const MAX_BYTES = 8_000_000;

export interface LiveScene {
  readonly harbor: Harbor;
  readonly server: LocalServer;
  readonly open: (path: string, headers?: Record<string, string>) => Promise<EventClient>;
}

export interface LiveAttack {
  readonly name: string;
  readonly run: (scene: LiveScene, isLong: boolean) => Promise<void>;
}

const LONG_ROWS = '/page?order=id&limit=100';

function repeat<T>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** @param id from the first event of another client, whose read is the same */
const FORGED_IDS: readonly ((id: string) => string)[] = [
  (id) => id.replace(/\d+$/u, '0'),
  (id) => `${id}0`,
  (id) => id.replace(/^./u, (first) => (first === 'a' ? 'b' : 'a')),
  (id) => id.toUpperCase(),
  (id) => id.slice(0, id.lastIndexOf('-')),
  (id) => id.slice(id.lastIndexOf('-')),
  (id) => id.repeat(500),
  () => '0',
  () => '-9007199254740993',
  () => '__proto__-0',
  () => 'é-0',
  () => ' ',
];

const IDS: readonly LiveAttack[] = FORGED_IDS.map((forge, index) => ({
  name: `a Last-Event-ID that the server did not give: form ${index}`,
  run: async ({ harbor, open }) => {
    const witness = await open('/item?id=gt.500');
    await witness.first(1);
    await harbor.sql(`insert into api.item values (501, 'hidden'); delete from api.item where id = 501`);
    await harbor.sql(
      `insert into api.item values (502, 'shown') on conflict (id) do update set note = item.note || '.'`,
    );
    const [, { id } = { id: undefined }] = await witness.first(2);
    const client = await open('/item?id=gt.500', { 'Last-Event-ID': forge(id ?? '') });
    const names = (await client.first(2)).map(({ name }) => name);
    assert.deepEqual(names, ['reset', 'rows']);
    assert.doesNotMatch(client.text, /hidden/u);
  },
}));

const MEMORY: readonly LiveAttack[] = [
  {
    name: 'clients that watch a URL each and leave',
    run: async ({ server, open }, isLong) => {
      for (const index of repeat(isLong ? 2000 : 200, (count) => count)) {
        const client = await open(`/item?id=eq.${index}&note=neq.${'x'.repeat(1500)}`);
        assert.equal(client.status, 200);
        client.close();
        if (index % 50 === 0) assert.ok(((await server.metric('live_bytes')) ?? 0) <= MAX_BYTES);
      }
    },
  },
  {
    name: 'clients that read nothing, on long rows, while these change',
    run: async ({ harbor, server, open }) => {
      const deaf = await Promise.all(repeat(20, (index) => open(`${LONG_ROWS}&id=gt.-${index}`)));
      for (const client of deaf) client.pause();
      for (const round of repeat(10, (index) => index)) {
        await harbor.sql(`update api.page set note = repeat('${round}', 20000)`);
        assert.ok(((await server.metric('live_bytes')) ?? 0) <= MAX_BYTES);
      }
      for (const client of deaf) client.close();
    },
  },
  {
    name: 'clients that leave before they get their rows',
    run: async ({ server }) => {
      const opening = repeat(40, async (index) => {
        const left = AbortSignal.timeout(index % 8);
        return server.get(`${LONG_ROWS}&id=neq.-${index}`, { headers: { Accept: 'text/event-stream' }, signal: left });
      });
      await Promise.allSettled(opening);
      await until(async () => (await server.metric('live_streams')) === 1);
    },
  },
  {
    name: 'a row that is longer than the memory',
    run: async ({ harbor, open }) => {
      const clients = await Promise.all(['/page?id=lte.3', '/page?select=note&id=lte.3'].map((path) => open(path)));
      await Promise.all(clients.map((client) => client.first(1)));
      await harbor.sql(`update api.page set note = repeat('x', 5000000) where id = 2`);
      for (const client of clients) {
        assert.equal(await client.ended(), 'complete');
        assert.match(client.events.at(-1)?.data ?? '', /"SVC140"/u);
      }
      await harbor.sql(`update api.page set note = 'short' where id = 2`);
    },
  },
  {
    name: 'a query whose body is as long as it may be',
    run: async ({ server }) => {
      const headers = { Accept: 'text/event-stream', 'Content-Type': 'application/x-www-form-urlencoded' };
      const body = `note=neq.${'x'.repeat(1_000_000)}`;
      const answer = await server.get('/item', { method: 'QUERY', headers, body });
      assert.equal(answer.status, 400);
      assert.match(answer.text, /"SVC140".*live-max-bytes/u);
    },
  },
];

export const LIVE_ATTACKS: readonly LiveAttack[] = [...IDS, ...MEMORY];

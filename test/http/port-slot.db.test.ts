// How the system assigns connections to the sockets of one port, and how a process finds its own slot.
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { findSlot } from '../../src/http/listen/port-slot.ts';
import { avoidClosingSlot, avoidSlot } from '../../src/http/listen/reuseport-filter.ts';
import { loadSharedSockets, type SharedSocket } from '../../src/http/listen/shared-socket.ts';
import { findFreePort } from '../support/server-process.ts';
import { until } from '../support/until.ts';

const isLinux = process.platform === 'linux';

interface Member {
  readonly server: Server;
  readonly socket: SharedSocket;
  /** Connections that it has accepted. */
  count: number;
}

const members = new Set<Member>();

afterEach(() => {
  for (const { server } of members) server.close();
  members.clear();
});

async function join(port: number, count: number): Promise<readonly Member[]> {
  const open = await loadSharedSockets();
  const joined: Member[] = [];
  for (let index = 0; index < count; index++) {
    const opened = open?.({ host: '127.0.0.1', isIpv6Only: false }, port);
    if (opened?.ok !== true) throw new Error('no shared socket');
    const member: Member = { server: createServer(), socket: opened.value, count: 0 };
    member.server.on('connection', (client) => {
      member.count++;
      client.on('error', () => {}).resume();
    });
    member.server.listen({ fd: member.socket.fd });
    await once(member.server, 'listening');
    members.add(member);
    joined.push(member);
  }
  return joined;
}

/** @returns how many of 200 connections each of the members accepted */
async function deal(port: number, among: readonly Member[]): Promise<readonly number[]> {
  for (const member of among) member.count = 0;
  for (let index = 0; index < 200; index++) {
    const client = connect(port, '127.0.0.1');
    await once(client, 'connect');
    client.destroy();
  }
  const counts = (): readonly number[] => among.map(({ count }) => count);
  await until(() => counts().reduce((sum, count) => sum + count, 0) === 200);
  return counts();
}

test.runIf(isLinux)(
  'sockets occupy slots in the order in which they were opened; the last moves to the slot of one that closes',
  async () => {
    const port = await findFreePort();
    const all = await join(port, 3);
    for (const [slot, { server, socket }] of all.entries())
      expect(await findSlot(server, socket)).toEqual({ slot, count: 3 });
    all[0]?.server.close();
    const rest = all.slice(1);
    const places: unknown[] = [];
    for (const { server, socket } of rest) places.push(await findSlot(server, socket));
    expect(places).toEqual([
      { slot: 1, count: 2 },
      { slot: 0, count: 2 },
    ]);
  },
);

test.runIf(isLinux)('the only socket of a port has no slot', async () => {
  const [only] = await join(await findFreePort(), 1);
  expect(only && (await findSlot(only.server, only.socket))).toBeUndefined();
});

test.runIf(isLinux).each([0, 1, 2])(
  'new connections avoid the socket in slot %i, and are distributed evenly once it has closed',
  async (slot) => {
    const port = await findFreePort();
    const all = await join(port, 3);
    const own = all[slot];
    own?.socket.setFilter(avoidSlot(slot, 3));
    const counts = await deal(port, all);
    expect(counts[slot]).toBe(0);
    expect(Math.min(...counts.filter((_, index) => index !== slot))).toBeGreaterThan(60);
    own?.socket.setFilter(avoidClosingSlot(slot, 3));
    expect((await deal(port, all))[slot]).toBe(0);
    own?.server.close();
    expect(
      Math.min(
        ...(await deal(
          port,
          all.filter((member) => member !== own),
        )),
      ),
    ).toBeGreaterThan(60);
  },
);

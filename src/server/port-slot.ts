// Where the socket of this process stands among those that share its port. The system does not tell: connections to
// oneself show it, under a filter that chooses by the client's port.
import { once } from 'node:events';
import { readFile, readlink } from 'node:fs/promises';
import { connect, type Server, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { dealBySourcePort, slotOfSourcePort } from './reuseport-filter.ts';
import type { SharedSocket } from './shared-socket.ts';

export interface Slot {
  readonly slot: number;
  /** Sockets that share the port. */
  readonly count: number;
}

/** Milliseconds after which it is given up: a firewall may keep the process from connecting to itself. */
const PATIENCE = 1000;
/** Of a socket that listens, in the system's table. */
const LISTENING = '0A';

/** Leaves the filter of the search behind. @returns undefined for the only one, and where it cannot be found out */
export async function findSlot(server: Server, socket: SharedSocket): Promise<Slot | undefined> {
  const count = await countSockets(socket);
  if (count < 2) return undefined;
  socket.deal(dealBySourcePort(count, socket.isIpv6));
  const port = await findOwnConnection(server);
  return port === undefined ? undefined : { slot: slotOfSourcePort(port, count), count };
}

/** Sockets that listen at the same address. */
async function countSockets({ fd, isIpv6 }: SharedSocket): Promise<number> {
  try {
    const inode = /\d+/u.exec(await readlink(`/proc/self/fd/${fd}`))?.[0];
    const table = await readFile(`/proc/self/net/tcp${isIpv6 ? '6' : ''}`, 'latin1');
    const rows = table.split('\n').map((line) => line.trim().split(/\s+/u));
    const listening = rows.filter(([, , , state]) => state === LISTENING);
    const own = listening.find((row) => row[9] === inode)?.[1];
    return own === undefined ? 0 : listening.filter(([, address]) => address === own).length;
  } catch {
    return 0;
  }
}

/** @returns the client's port of a connection that this process made and got itself */
async function findOwnConnection(server: Server): Promise<number | undefined> {
  const arrived = new Set<number | undefined>();
  const onConnection = ({ remotePort }: Socket): unknown => arrived.add(remotePort);
  server.on('connection', onConnection);
  const made: number[] = [];
  const end = performance.now() + PATIENCE;
  let own: number | undefined;
  while (own === undefined && performance.now() < end) {
    const port = await probe(server);
    if (port !== undefined) made.push(port);
    await setImmediate();
    own = made.find((each) => arrived.has(each));
  }
  server.off('connection', onConnection);
  return own;
}

/** Connects, says nothing and leaves. @returns its port */
async function probe(server: Server): Promise<number | undefined> {
  const target = server.address();
  if (target === null || typeof target === 'string') return undefined;
  const socket = connect({ host: target.address, port: target.port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(PATIENCE) });
    return socket.localPort;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

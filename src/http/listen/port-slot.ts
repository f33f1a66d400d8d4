// Finds the index of this process's socket among those that share its port. Linux has no call for it, so the process
// connects to itself under a filter that selects the socket by the client's port.
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { connect, type Server, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { selectBySourcePort, slotOfSourcePort } from './reuseport-filter.ts';
import type { SharedSocket } from './shared-socket.ts';
import { IPV4_TABLE, IPV6_TABLE, readTcpTable, type TcpRow } from './tcp-table.ts';

export interface Slot {
  readonly slot: number;
  /** Number of sockets that share the port. */
  readonly count: number;
}

/** Timeout, since a firewall may prevent the process from connecting to itself. */
const TIMEOUT_MS = 3000;

/**
 * Leaves the filter of the search attached. @returns undefined if there is only one socket, or if the index cannot be
 * found
 */
export async function findSlot(server: Server, socket: SharedSocket): Promise<Slot | undefined> {
  const count = countSockets(socket);
  if (count < 2) return undefined;
  socket.setFilter(selectBySourcePort(count, socket.isIpv6));
  const port = await findOwnConnection(server, count);
  return port === undefined ? undefined : { slot: slotOfSourcePort(port, count), count };
}

/**
 * Counts the sockets that listen on the same address. Synchronous: in a busy process each asynchronous step would take
 * a turn.
 */
function countSockets({ fd, isIpv6 }: SharedSocket): number {
  try {
    const inode = /\d+/u.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[0];
    const listening: TcpRow[] = [];
    for (const row of readTcpTable(isIpv6 ? IPV6_TABLE : IPV4_TABLE)) {
      if (row.state !== 'listening') break;
      listening.push(row);
    }
    const own = listening.find((row) => row.inode === inode)?.local;
    return own === undefined ? 0 : listening.filter(({ local }) => local === own).length;
  } catch {
    return 0;
  }
}

/** @returns the client port of a connection that this process both made and accepted */
async function findOwnConnection(server: Server, count: number): Promise<number | undefined> {
  const arrived = new Set<number | undefined>();
  const onConnection = ({ remotePort }: Socket): unknown => arrived.add(remotePort);
  server.on('connection', onConnection);
  const made: (number | undefined)[] = [];
  const end = performance.now() + TIMEOUT_MS;
  let own: number | undefined;
  do {
    // The system usually assigns consecutive ports, so this many connections reach every socket.
    made.push(...(await Promise.all(Array.from({ length: 2 * count }, () => probe(server)))));
    await setImmediate();
    own = made.find((port) => port !== undefined && arrived.has(port));
  } while (own === undefined && performance.now() < end);
  server.off('connection', onConnection);
  return own;
}

/** Connects and disconnects. @returns the local port */
async function probe(server: Server): Promise<number | undefined> {
  const target = server.address();
  if (target === null || typeof target === 'string') return undefined;
  const socket = connect({ host: target.address, port: target.port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return socket.localPort;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

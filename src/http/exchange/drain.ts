// Closes the connections of a server that stops listening (`operating.md` §11.4). Requests in progress are
// answered, requests that may still arrive are awaited, and everything that exceeds the deadline is cut off.
import { setImmediate } from 'node:timers';
import type { Connection, Connections, ConnectionStage } from '../limits/connections.ts';

/** Interval between two checks of the connections. */
const TICK_MS = 25;

/**
 * Ticks without any change after which a connection is closed. Counts ticks instead of time: a process without CPU time
 * to read cannot know whether a client has sent something.
 */
const MAX_UNCHANGED_TICKS: Readonly<Record<ConnectionStage, number>> = {
  // Half a second: clients that send requests in quick succession learn of the shutdown from a response.
  idle: 20,
  // Two seconds without a byte.
  receiving: 80,
  answering: Number.POSITIVE_INFINITY,
};
/** The same for connections that were idle for as long before: whatever has arrived is read by the second check. */
const MAX_TICKS_AT_REST = 1;

/**
 * Resolves when no connection is left.
 * @param deadline time of `performance.now()` at which open connections are cut off
 * @param left resolves when the server has stopped listening
 * @returns the number of requests that were cut off
 */
export async function drain(connections: Connections, deadline: number, left?: Promise<void>): Promise<number> {
  const watch = new DrainWatch(connections, deadline);
  // Check after the event loop has read all data that has arrived.
  const check = (): unknown => setImmediate(() => watch.check());
  check();
  const timer = setInterval(check, TICK_MS);
  await left;
  await connections.whenEmpty();
  clearInterval(timer);
  return watch.cutOff;
}

interface UnchangedCount {
  readonly stage: ConnectionStage;
  readonly bytesRead: number;
  readonly ticks: number;
}

class DrainWatch {
  cutOff = 0;
  readonly #connections: Connections;
  readonly #deadline: number;
  readonly #restedSince: number = performance.now() - MAX_UNCHANGED_TICKS.idle * TICK_MS;
  readonly #counts: WeakMap<Connection, UnchangedCount> = new WeakMap();

  constructor(connections: Connections, deadline: number) {
    this.#connections = connections;
    this.#deadline = deadline;
  }

  check(): void {
    const isOver = performance.now() >= this.#deadline;
    for (const connection of this.#connections.open) {
      const { stage } = connection;
      if (!isOver && this.#countUnchangedTicks(connection) <= this.#findLimit(connection)) continue;
      if (stage !== 'idle') this.cutOff += Math.max(connection.requests.size, 1);
      connection.socket.destroy();
    }
  }

  #findLimit({ stage, idleSince }: Connection): number {
    return stage === 'idle' && idleSince <= this.#restedSince ? MAX_TICKS_AT_REST : MAX_UNCHANGED_TICKS[stage];
  }

  /** Returns the ticks since anything changed on the connection. */
  #countUnchangedTicks(connection: Connection): number {
    const { stage, socket } = connection;
    const before = this.#counts.get(connection);
    const isSame = before?.stage === stage && before.bytesRead === socket.bytesRead;
    const ticks = isSame ? before.ticks + 1 : 1;
    this.#counts.set(connection, { stage, bytesRead: socket.bytesRead, ticks });
    return ticks;
  }
}

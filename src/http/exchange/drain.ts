// Closes the connections of a server that has stopped listening (`operating.md` §11.4). Requests in progress are
// answered, requests that may still arrive are awaited, and everything that exceeds the deadline is cut off.
import { setImmediate } from 'node:timers';
import type { Connection, Connections, ConnectionStage } from '../limits/connections.ts';

/** Interval between two checks of the connections. */
const TICK_MS = 50;

/**
 * Ticks without any change after which a connection is closed. Counts ticks instead of time: a process without CPU time
 * to read cannot know whether a client has sent something.
 */
const MAX_IDLE_TICKS: Readonly<Record<ConnectionStage, number>> = {
  // Half a second: enough for a request that the client sent before it could know of the shutdown.
  idle: 10,
  // Two seconds without a byte.
  receiving: 40,
  answering: Number.POSITIVE_INFINITY,
};

/**
 * Resolves when no connection is left.
 * @param deadline time of `performance.now()` at which open connections are cut off
 * @returns the number of requests that were cut off
 */
export async function drain(connections: Connections, deadline: number): Promise<number> {
  const watch = new DrainWatch(connections, deadline);
  // Check after the event loop has read all data that has arrived.
  const timer = setInterval(() => setImmediate(() => watch.check()), TICK_MS);
  await connections.whenEmpty();
  clearInterval(timer);
  return watch.cutOff;
}

interface IdleCount {
  readonly stage: ConnectionStage;
  readonly bytesRead: number;
  readonly ticks: number;
}

class DrainWatch {
  cutOff = 0;
  readonly #connections: Connections;
  readonly #deadline: number;
  readonly #idleCounts: WeakMap<Connection, IdleCount> = new WeakMap();

  constructor(connections: Connections, deadline: number) {
    this.#connections = connections;
    this.#deadline = deadline;
  }

  check(): void {
    const isOver = performance.now() >= this.#deadline;
    for (const connection of this.#connections.open) {
      const { stage } = connection;
      if (!isOver && this.#countIdleTicks(connection) <= MAX_IDLE_TICKS[stage]) continue;
      if (stage !== 'idle') this.cutOff += Math.max(connection.requests.size, 1);
      connection.socket.destroy();
    }
  }

  /** Returns the ticks since anything changed on the connection. */
  #countIdleTicks(connection: Connection): number {
    const { stage, socket } = connection;
    const before = this.#idleCounts.get(connection);
    const isSame = before?.stage === stage && before.bytesRead === socket.bytesRead;
    const ticks = isSame ? before.ticks + 1 : 1;
    this.#idleCounts.set(connection, { stage, bytesRead: socket.bytesRead, ticks });
    return ticks;
  }
}

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
  // Half a second without a request on any connection: a proxy takes any of those it has kept, and learns of the shutdown
  // from the response. A request that it sends while its connection is being closed is lost.
  idle: 20,
  // Two seconds without a byte.
  receiving: 80,
  answering: Number.POSITIVE_INFINITY,
};
/** The same if no connection was used for as long before: whatever has arrived is read by the second check. */
const MAX_TICKS_AT_REST = 1;
/** Idle connections are closed after five seconds, even if requests still arrive on others. */
const MAX_IDLE_TICKS = 200;

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
  readonly #wasAtRest: boolean;
  #ticks = 0;
  /** Requests that have begun, and the ticks since then. */
  #begun = 0;
  #quietTicks = 0;
  readonly #counts: WeakMap<Connection, UnchangedCount> = new WeakMap();

  constructor(connections: Connections, deadline: number) {
    this.#connections = connections;
    this.#deadline = deadline;
    const restedSince = performance.now() - MAX_UNCHANGED_TICKS.idle * TICK_MS;
    this.#wasAtRest = [...connections.open].every(
      ({ stage, idleSince }) => stage === 'idle' && idleSince <= restedSince,
    );
  }

  check(): void {
    const isOver = performance.now() >= this.#deadline;
    const { begunCount } = this.#connections;
    this.#quietTicks = begunCount === this.#begun ? this.#quietTicks + 1 : 1;
    this.#begun = begunCount;
    this.#ticks += 1;
    for (const connection of this.#connections.open) {
      const { stage } = connection;
      if (!isOver && this.#isAwaited(connection)) continue;
      if (stage !== 'idle') this.cutOff += Math.max(connection.requests.size, 1);
      connection.socket.destroy();
    }
  }

  #isAwaited(connection: Connection): boolean {
    const { stage } = connection;
    const ticks = this.#countUnchangedTicks(connection);
    if (stage !== 'idle') return ticks <= MAX_UNCHANGED_TICKS[stage];
    if (this.#wasAtRest) return ticks <= MAX_TICKS_AT_REST;
    return Math.min(ticks, this.#quietTicks) <= MAX_UNCHANGED_TICKS.idle && this.#ticks <= MAX_IDLE_TICKS;
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

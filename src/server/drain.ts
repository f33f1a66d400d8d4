// The end of a server's connections once nobody connects any more (`operations.md` §11.4): requests under way are
// answered, those that may be on their way are waited for, and what goes on for too long is cut off.
import { setImmediate } from 'node:timers';
import type { Connection, Connections, ConnectionStage } from './connections.ts';

/** Milliseconds between two looks at the connections. */
const TICK = 50;

/**
 * Looks without any change after which a connection is closed. Counted, not timed: a process that gets no time to read
 * cannot say of a client that it has sent nothing.
 */
const PATIENCE: Readonly<Record<ConnectionStage, number>> = {
  // Half a second, in which a request that was sent before its client could know has come.
  idle: 10,
  // Two seconds without a byte.
  receiving: 40,
  answering: Number.POSITIVE_INFINITY,
};

/**
 * Resolves when no connection is left.
 * @param deadline of `performance.now()`, when what is still open is cut off
 * @returns requests that were cut off
 */
export async function drain(connections: Connections, deadline: number): Promise<number> {
  const watch = new DrainWatch(connections, deadline);
  // After a turn in which what has come was read.
  const timer = setInterval(() => setImmediate(() => watch.look()), TICK);
  await connections.whenNoneIsLeft();
  clearInterval(timer);
  return watch.cutOff;
}

interface Standstill {
  readonly stage: ConnectionStage;
  readonly bytesRead: number;
  readonly looks: number;
}

class DrainWatch {
  cutOff = 0;
  readonly #connections: Connections;
  readonly #deadline: number;
  readonly #standstills: WeakMap<Connection, Standstill> = new WeakMap();

  constructor(connections: Connections, deadline: number) {
    this.#connections = connections;
    this.#deadline = deadline;
  }

  look(): void {
    const isOver = performance.now() >= this.#deadline;
    for (const connection of this.#connections.open) {
      const { stage } = connection;
      if (!isOver && this.#countLooks(connection) <= PATIENCE[stage]) continue;
      if (stage !== 'idle') this.cutOff += Math.max(connection.requests.size, 1);
      connection.socket.destroy();
    }
  }

  /** Since anything has changed on the connection. */
  #countLooks(connection: Connection): number {
    const { stage, socket } = connection;
    const before = this.#standstills.get(connection);
    const isSame = before?.stage === stage && before.bytesRead === socket.bytesRead;
    const looks = isSame ? before.looks + 1 : 1;
    this.#standstills.set(connection, { stage, bytesRead: socket.bytesRead, looks });
    return looks;
  }
}

// Listens in the place of the workers, and hands them the connections in turn. What no worker can take waits.
import { createServer, type Server, type Socket } from 'node:net';
import type { WorkerProcess } from './worker-process.ts';

export interface ConnectionDealerOptions {
  /** Most connections that may wait. */
  readonly maxWaiting: number;
  /** One more was closed at once. */
  readonly onDrop: () => void;
  /** @returns the one whose turn it is, of those that are free */
  readonly findFree: () => Pick<WorkerProcess, 'give'> | undefined;
}

export class ConnectionDealer {
  readonly server: Server;
  readonly #options: ConnectionDealerOptions;
  readonly #waiting: Socket[] = [];
  #onDealt: (() => void) | undefined;

  constructor(options: ConnectionDealerOptions) {
    this.#options = options;
    // The first bytes are the worker's to read.
    this.server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
      socket.on('error', () => {});
      this.#waiting.push(socket);
      this.deal();
    });
    this.server.maxConnections = options.maxWaiting;
    this.server.on('drop', options.onDrop);
  }

  /** To be called when a worker has become free. */
  deal(): void {
    for (;;) {
      const worker = this.#waiting.length > 0 ? this.#options.findFree() : undefined;
      const socket = worker === undefined ? undefined : this.#waiting.shift();
      if (worker === undefined || socket === undefined) break;
      worker.give(socket);
    }
    if (this.#waiting.length === 0) this.#onDealt?.();
  }

  /** Of a worker that has ended before it arrived there. */
  takeBack(socket: Socket): void {
    this.#waiting.unshift(socket);
    this.deal();
  }

  /** Resolves when none waits. To be called when the server has stopped listening. */
  async whenDealt(): Promise<void> {
    if (this.#waiting.length > 0) await new Promise<void>((resolve) => (this.#onDealt = resolve));
  }

  /** Closes those that wait. */
  abandon(): void {
    for (const socket of this.#waiting.splice(0)) socket.destroy();
    this.#onDealt?.();
  }
}

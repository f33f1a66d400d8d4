// Accepts connections on behalf of the workers and hands them over in turn. Connections wait while no worker is free.
import { createServer, type Server, type Socket } from 'node:net';
import type { WorkerProcess } from './worker-process.ts';

export interface ConnectionDealerOptions {
  /** Maximum number of waiting connections. */
  readonly maxWaiting: number;
  /** Called when a further connection was closed immediately. */
  readonly onDrop: () => void;
  /** @returns the next free worker in turn */
  readonly findFree: () => Pick<WorkerProcess, 'give'> | undefined;
}

export class ConnectionDealer {
  readonly server: Server;
  readonly #options: ConnectionDealerOptions;
  readonly #waiting: Socket[] = [];
  #onDealt: (() => void) | undefined;

  constructor(options: ConnectionDealerOptions) {
    this.#options = options;
    // The worker reads the first bytes.
    this.server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
      socket.on('error', () => {});
      this.#waiting.push(socket);
      this.deal();
    });
    this.server.maxConnections = options.maxWaiting;
    this.server.on('drop', options.onDrop);
  }

  /** Call when a worker has become free. */
  deal(): void {
    for (;;) {
      const worker = this.#waiting.length > 0 ? this.#options.findFree() : undefined;
      const socket = worker === undefined ? undefined : this.#waiting.shift();
      if (worker === undefined || socket === undefined) break;
      worker.give(socket);
    }
    if (this.#waiting.length === 0) this.#onDealt?.();
  }

  /** Takes a connection back whose worker ended before receiving it. */
  takeBack(socket: Socket): void {
    this.#waiting.unshift(socket);
    this.deal();
  }

  /** Resolves when no connection waits. Call when the server has stopped listening. */
  async whenDealt(): Promise<void> {
    if (this.#waiting.length > 0) await new Promise<void>((resolve) => (this.#onDealt = resolve));
  }

  /** Closes the waiting connections. */
  abandon(): void {
    for (const socket of this.#waiting.splice(0)) socket.destroy();
    this.#onDealt?.();
  }
}

// Accepts connections on behalf of the workers and hands them over in turn. Connections wait while no worker is free.
import { createServer, type Server, type Socket } from 'node:net';
import type { WorkerProcess } from './worker-process.ts';

export interface ConnectionDistributorOptions {
  /** Maximum number of waiting connections. */
  readonly maxWaiting: number;
  /** Called when a further connection was closed immediately. */
  readonly onDrop: () => void;
  /** @returns the next free worker in turn */
  readonly findFree: () => Pick<WorkerProcess, 'handOver'> | undefined;
}

export class ConnectionDistributor {
  readonly server: Server;
  readonly #options: ConnectionDistributorOptions;
  readonly #waiting: Socket[] = [];
  #onDistributed: (() => void) | undefined;

  constructor(options: ConnectionDistributorOptions) {
    this.#options = options;
    // The worker reads the first bytes.
    this.server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
      socket.on('error', () => {});
      this.#waiting.push(socket);
      this.distribute();
    });
    this.server.maxConnections = options.maxWaiting;
    this.server.on('drop', options.onDrop);
  }

  /** Call when a worker has become free. */
  distribute(): void {
    for (;;) {
      const worker = this.#waiting.length > 0 ? this.#options.findFree() : undefined;
      const socket = worker === undefined ? undefined : this.#waiting.shift();
      if (worker === undefined || socket === undefined) break;
      worker.handOver(socket);
    }
    if (this.#waiting.length === 0) this.#onDistributed?.();
  }

  /** Takes a connection back whose worker ended before receiving it. */
  requeue(socket: Socket): void {
    this.#waiting.unshift(socket);
    this.distribute();
  }

  /** Resolves when no connection waits. Call when the server has stopped listening. */
  async whenDistributed(): Promise<void> {
    if (this.#waiting.length > 0) await new Promise<void>((resolve) => (this.#onDistributed = resolve));
  }

  /** Closes the waiting connections. */
  abandon(): void {
    for (const socket of this.#waiting.splice(0)) socket.destroy();
    this.#onDistributed?.();
  }
}

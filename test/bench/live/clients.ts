// Starts the process of the clients and passes orders on to it.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Opened, OpenOrder, Order, StormOrder, WriteOrder, Written } from './orders.ts';

export class Clients {
  /** Messages keep numbers that JSON cannot express: without clients, there are no latencies. */
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('client-process.js', import.meta.url)), {
    serialization: 'advanced',
  });

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('the clients could not be started');
    return this.#child.pid;
  }

  open(order: Omit<OpenOrder, 'kind'>): Promise<Opened> {
    return this.#give<Opened>({ ...order, kind: 'open' });
  }

  write(order: Omit<WriteOrder, 'kind'>): Promise<Written> {
    return this.#give<Written>({ ...order, kind: 'write' });
  }

  /** Breaks all connections, and opens them again with the ids of their last events. */
  storm(): Promise<Opened> {
    return this.#give<Opened>({ kind: 'storm' } satisfies StormOrder);
  }

  stop(): void {
    this.#child.kill('SIGKILL');
  }

  #give<T>(order: Order): Promise<T> {
    return new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error('the clients ended without a result'));
      const onMessage = ({ kind, report }: { readonly kind: Order['kind']; readonly report: T }): void => {
        if (kind !== order.kind) return;
        this.#child.off('exit', onExit).off('message', onMessage);
        resolve(report);
      };
      this.#child.on('exit', onExit).on('message', onMessage);
      this.#child.send(order);
    });
  }
}

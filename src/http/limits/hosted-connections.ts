// Tracks connections of a host application's server as far as their requests are known. Signals all requests of a
// connection whose client has disconnected: Node closes only the current response, not those queued behind it.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Connections, DisconnectSignal } from './connections.ts';

export class HostedConnections implements Pick<Connections, 'begin' | 'finish' | 'isLastResponse' | 'close'> {
  readonly #requests: WeakMap<Socket, Set<DisconnectSignal>> = new WeakMap();

  begin(incoming: IncomingMessage): DisconnectSignal {
    const signal = new DisconnectSignal(incoming, undefined);
    const { socket } = incoming;
    if (socket.destroyed) signal.end();
    else this.#find(socket).add(signal);
    return signal;
  }

  finish(socket: Socket, signal: DisconnectSignal): void {
    this.#requests.get(socket)?.delete(signal);
    signal.end();
  }

  isLastResponse(): boolean {
    return false;
  }

  close(): void {}

  #find(socket: Socket): Set<DisconnectSignal> {
    const known = this.#requests.get(socket);
    if (known !== undefined) return known;
    const signals = new Set<DisconnectSignal>();
    this.#requests.set(socket, signals);
    socket.once('close', () => {
      for (const signal of signals) signal.end();
    });
    return signals;
  }
}

// The open connections of one HTTP server and what goes on in each: needed to tell requests that their client is gone,
// and to close at shutdown what serves no request.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { CancelSignal } from '../postgres/cancel.ts';

/** Tells one request that its client has gone; a cheap stand-in for an `AbortSignal` with one listener. */
export class ClientPresence implements CancelSignal {
  #listener: (() => void) | undefined;
  #isGone = false;

  get aborted(): boolean {
    return this.#isGone;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listener = listener;
  }

  removeEventListener(): void {
    this.#listener = undefined;
  }

  end(): void {
    this.#isGone = true;
    this.#listener?.();
  }
}

/** Milliseconds in which a client may still bring a request that it has begun to send. */
const SENDING_PATIENCE = 2000;

export class Connections {
  readonly #requests: Map<Socket, Set<ClientPresence>> = new Map();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#requests.set(socket, new Set());
      socket.once('close', () => this.#forget(socket));
    });
  }

  /** A request has arrived on the connection. */
  begin(socket: Socket): ClientPresence {
    const presence = new ClientPresence();
    this.#requests.get(socket)?.add(presence);
    return presence;
  }

  /** Its answer is on the way. */
  finish(socket: Socket, presence: ClientPresence): void {
    this.#requests.get(socket)?.delete(presence);
  }

  isServing(socket: Socket): boolean {
    return (this.#requests.get(socket)?.size ?? 0) > 0;
  }

  /** Nobody may connect any more: closes what has sent nothing at once, what serves no request a little later. */
  closeIdle(server: Server): void {
    server.closeIdleConnections();
    for (const socket of this.#requests.keys()) if (socket.bytesRead === 0) socket.destroy();
    setTimeout(() => this.#closeInactive(), SENDING_PATIENCE).unref();
  }

  #closeInactive(): void {
    for (const [socket, requests] of this.#requests) if (requests.size === 0) socket.destroy();
  }

  #forget(socket: Socket): void {
    const requests = this.#requests.get(socket) ?? [];
    this.#requests.delete(socket);
    for (const presence of requests) presence.end();
  }
}

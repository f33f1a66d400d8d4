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

/** Milliseconds after which nothing is on the way any more from a client that has connected and sent nothing. */
const SILENCE_PATIENCE = 250;
/** Milliseconds in which a client may still bring a request that it has begun to send. */
const SENDING_PATIENCE = 2000;

export class Connections {
  readonly #requests: Map<Socket, Set<ClientPresence>> = new Map();
  #isEnding = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#requests.set(socket, new Set());
      socket.once('close', () => this.#forget(socket));
    });
  }

  /** Whether every answer is to be the last one on its connection. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Clients that are told in time send no request into a connection that is being closed. */
  announceEnd(): void {
    this.#isEnding = true;
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

  /** Nobody may connect any more: closes what waits for a further request at once, what serves none a little later. */
  closeIdle(server: Server): void {
    this.announceEnd();
    server.closeIdleConnections();
    // Not at once: a first request may have come that nobody has read yet.
    setTimeout(() => this.#closeWhere((socket) => socket.bytesRead === 0), SILENCE_PATIENCE).unref();
    setTimeout(() => this.#closeWhere((socket) => !this.isServing(socket)), SENDING_PATIENCE).unref();
  }

  #closeWhere(isToClose: (socket: Socket) => boolean): void {
    for (const socket of this.#requests.keys()) if (isToClose(socket)) socket.destroy();
  }

  #forget(socket: Socket): void {
    const requests = this.#requests.get(socket) ?? [];
    this.#requests.delete(socket);
    for (const presence of requests) presence.end();
  }
}

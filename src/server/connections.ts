// The open connections of one HTTP server and what goes on in each: needed to tell requests that their client is gone,
// and to know at shutdown what may be closed (`drain.ts`).
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { CancelSignal } from '../postgres/cancel.ts';

/** Tells one request that its client has gone; a cheap stand-in for an `AbortSignal` with one listener. */
export class ClientPresence implements CancelSignal {
  readonly #incoming: IncomingMessage;
  #listener: (() => void) | undefined;
  #isGone = false;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
  }

  get aborted(): boolean {
    return this.#isGone;
  }

  /** Whether all of the request has come, its body included. */
  get isReceived(): boolean {
    return this.#incoming.complete;
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

/** What a connection waits for: a request, the rest of one, or an answer that is made or on its way. */
export type ConnectionStage = 'idle' | 'receiving' | 'answering';

export class Connection {
  readonly socket: Socket;
  /** In the order in which they came; those whose answers the system has not taken over yet. */
  readonly requests: Set<ClientPresence> = new Set();
  /** Further requests are not run, since their answers would have no place. */
  isClosing = false;
  /** Bytes that had come when the last answer was given. */
  #bytesServed = 0;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  get stage(): ConnectionStage {
    for (const { isReceived } of this.requests) if (isReceived) return 'answering';
    return this.requests.size > 0 || this.socket.bytesRead > this.#bytesServed ? 'receiving' : 'idle';
  }

  finish(presence: ClientPresence): void {
    this.requests.delete(presence);
    this.#bytesServed = this.socket.bytesRead;
  }
}

export class Connections {
  readonly #open: Map<Socket, Connection> = new Map();
  #isEnding = false;
  #onEmpty: (() => void) | undefined;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#open.set(socket, new Connection(socket));
      socket.once('close', () => this.#forget(socket));
    });
  }

  get open(): Iterable<Connection> {
    return this.#open.values();
  }

  /** Clients that are told in time send no request into a connection that is being closed. */
  announceEnd(): void {
    this.#isEnding = true;
  }

  /** A request has arrived on the connection. @returns undefined where it is not to be run */
  begin(incoming: IncomingMessage): ClientPresence | undefined {
    const connection = this.#open.get(incoming.socket);
    if (connection?.isClosing === true) return undefined;
    const presence = new ClientPresence(incoming);
    connection?.requests.add(presence);
    return presence;
  }

  /** Whether the answer that is now given is the last one on its connection, and has to say so. */
  endsWith(socket: Socket, presence: ClientPresence): boolean {
    if (!this.#isEnding) return false;
    const connection = this.#open.get(socket);
    if (connection === undefined) return true;
    // Another request that has come after it is answered as well.
    connection.isClosing = [...connection.requests].at(-1) === presence;
    return connection.isClosing;
  }

  /** It is told that an answer is its last one: what comes after is not run, since nobody would hear of it. */
  close(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection !== undefined) connection.isClosing = true;
  }

  /** Its answer has been taken over by the system. */
  finish(socket: Socket, presence: ClientPresence): void {
    this.#open.get(socket)?.finish(presence);
  }

  isServing(socket: Socket): boolean {
    return (this.#open.get(socket)?.requests.size ?? 0) > 0;
  }

  /** Resolves when no connection is open; to be asked for when none can come any more. */
  async whenNoneIsLeft(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((resolve) => (this.#onEmpty = resolve));
  }

  #forget(socket: Socket): void {
    const requests = this.#open.get(socket)?.requests ?? [];
    this.#open.delete(socket);
    for (const presence of requests) presence.end();
    if (this.#open.size === 0) this.#onEmpty?.();
  }
}

// The open connections of one HTTP server and the requests of each: signals to a request that its client has disconnected,
// and tells at shutdown which connections may be closed (`drain.ts`).
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { CancelSignal } from '../../postgres/connect/cancel.ts';

/** Tells one request that its client has disconnected: a cheap replacement of `AbortSignal` with one listener. */
export class DisconnectSignal implements CancelSignal {
  readonly #incoming: IncomingMessage;
  #listener: (() => void) | undefined;
  #whenGone: (() => void) | undefined;
  #isGone = false;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
  }

  get aborted(): boolean {
    return this.#isGone;
  }

  /** Whether nothing more is awaited: all of the request has come, or its body is held up by whoever uses it. */
  get isReceived(): boolean {
    return this.#incoming.complete || this.#incoming.isPaused();
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listener = listener;
  }

  removeEventListener(): void {
    this.#listener = undefined;
  }

  /** Of a response that waits for its turn, this is the only notice. One listener; called at once if the client is gone. */
  whenGone(listener: () => void): void {
    this.#whenGone = listener;
    if (this.#isGone) listener();
  }

  end(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#listener?.();
    this.#whenGone?.();
  }
}

/** What a connection waits for: a request, the rest of one, or a response. */
export type ConnectionStage = 'idle' | 'receiving' | 'answering';

export class Connection {
  readonly socket: Socket;
  /** In order of arrival; those whose responses have not been flushed to the system yet. */
  readonly requests: Set<DisconnectSignal> = new Set();
  /** Further requests are not run, since no response could be sent to them. */
  isClosing = false;
  /** Bytes received when the last response was sent. */
  #bytesServed = 0;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  get stage(): ConnectionStage {
    for (const { isReceived } of this.requests) if (isReceived) return 'answering';
    return this.requests.size > 0 || this.socket.bytesRead > this.#bytesServed ? 'receiving' : 'idle';
  }

  finish(signal: DisconnectSignal): void {
    this.requests.delete(signal);
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

  /** Open ones. */
  get count(): number {
    return this.#open.size;
  }

  /** From now on responses announce `Connection: close`, so that clients send no request into a closing connection. */
  announceEnd(): void {
    this.#isEnding = true;
  }

  /** To be called when a request has arrived. @returns undefined where it is not to be run */
  begin(incoming: IncomingMessage): DisconnectSignal | undefined {
    const connection = this.#open.get(incoming.socket);
    if (connection?.isClosing === true) return undefined;
    const signal = new DisconnectSignal(incoming);
    if (connection === undefined) signal.end();
    else connection.requests.add(signal);
    return signal;
  }

  /** Whether the response about to be sent is the last one on its connection and must announce it. */
  endsWith(socket: Socket, signal: DisconnectSignal): boolean {
    if (!this.#isEnding) return false;
    const connection = this.#open.get(socket);
    if (connection === undefined) return true;
    // Another request that has come after it is answered as well.
    connection.isClosing = [...connection.requests].at(-1) === signal;
    return connection.isClosing;
  }

  /** The client is told that a response is the last one: later requests are not run, since no response could follow. */
  close(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection !== undefined) connection.isClosing = true;
  }

  /** To be called when the response has been flushed to the system. */
  finish(socket: Socket, signal: DisconnectSignal): void {
    this.#open.get(socket)?.finish(signal);
  }

  isServing(socket: Socket): boolean {
    return (this.#open.get(socket)?.requests.size ?? 0) > 0;
  }

  /** Resolves when no connection is open. To be called when the server has stopped listening. */
  async whenNoneIsLeft(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((resolve) => (this.#onEmpty = resolve));
  }

  #forget(socket: Socket): void {
    const requests = this.#open.get(socket)?.requests ?? [];
    this.#open.delete(socket);
    for (const signal of requests) signal.end();
    if (this.#open.size === 0) this.#onEmpty?.();
  }
}

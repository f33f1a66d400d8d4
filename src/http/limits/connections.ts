// Tracks the open connections of an HTTP server and their requests. Signals requests whose client has disconnected, and
// determines at shutdown which connections may be closed (`drain.ts`).
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { CancelSignal } from '../../contract/cancel-signal.ts';
import type { HeaderTexts } from '../../contract/http.ts';

/**
 * Signals one request that its client has disconnected: a cheap replacement of `AbortSignal` with a single listener.
 */
export class DisconnectSignal implements CancelSignal {
  aborted = false;
  readonly connection: Connection | undefined;
  readonly #incoming: IncomingMessage;
  #listener: (() => void) | undefined;
  #onDisconnect: (() => void) | undefined;

  /** @param connection undefined if other software owns it */
  constructor(incoming: IncomingMessage, connection: Connection | undefined) {
    this.#incoming = incoming;
    this.connection = connection;
  }

  /** Whether no more data is awaited: the request is complete, or the consumer has paused its body. */
  get isReceived(): boolean {
    return this.#incoming.complete || this.#incoming.isPaused();
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listener = listener;
  }

  removeEventListener(): void {
    this.#listener = undefined;
  }

  /**
   * The only notice for a response that waits for its turn. Supports one listener; calls it immediately if the client
   * is gone.
   */
  onDisconnect(listener: () => void): void {
    this.#onDisconnect = listener;
    if (this.aborted) listener();
  }

  end(): void {
    if (this.aborted) return;
    this.aborted = true;
    this.#listener?.();
    this.#onDisconnect?.();
  }
}

/** What a connection waits for: a request, the rest of one, or a response. */
export type ConnectionStage = 'idle' | 'receiving' | 'answering';

export class Connection {
  /** Of the last request: most clients repeat them. */
  headers: { readonly raw: readonly string[]; readonly texts: HeaderTexts } | undefined;
  readonly socket: Socket;
  /** In order of arrival; requests whose responses have not been flushed to the system. */
  readonly requests: Set<DisconnectSignal> = new Set();
  /** Whether further requests are ignored, since no response could be sent to them. */
  isClosing = false;
  /** When it became idle last, in milliseconds of the monotonic clock. */
  idleSince: number = performance.now();
  /** Value of `bytesRead` when the last response was sent. */
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
    this.idleSince = performance.now();
  }
}

export class Connections {
  /** Number of requests that have begun. */
  begunCount = 0;
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

  /** Number of open connections. */
  get count(): number {
    return this.#open.size;
  }

  /**
   * Makes responses announce `Connection: close` from now on, so that clients send no request into a closing
   * connection.
   */
  announceEnd(): void {
    this.#isEnding = true;
  }

  /** Call when a request has arrived. @returns undefined if it must not run */
  begin(incoming: IncomingMessage): DisconnectSignal | undefined {
    const connection = this.#open.get(incoming.socket);
    if (connection?.isClosing === true) return undefined;
    this.begunCount += 1;
    const signal = new DisconnectSignal(incoming, connection);
    if (connection === undefined) signal.end();
    else connection.requests.add(signal);
    return signal;
  }

  /** Whether the response about to be sent is the last one on its connection and must announce it. */
  isLastResponse(socket: Socket, signal: DisconnectSignal): boolean {
    if (!this.#isEnding) return false;
    const connection = this.#open.get(socket);
    if (connection === undefined) return true;
    // A request that has arrived after it is answered as well.
    connection.isClosing = [...connection.requests].at(-1) === signal;
    return connection.isClosing;
  }

  /**
   * Call when a response announces that it is the last one: later requests are ignored, since no response could follow.
   */
  close(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection !== undefined) connection.isClosing = true;
  }

  /** Call when the response has been flushed to the system. */
  finish(socket: Socket, signal: DisconnectSignal): void {
    this.#open.get(socket)?.finish(signal);
  }

  isServing(socket: Socket): boolean {
    return (this.#open.get(socket)?.requests.size ?? 0) > 0;
  }

  /** Resolves when no connection is open. Call when the server has stopped listening. */
  async whenEmpty(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((resolve) => (this.#onEmpty = resolve));
  }

  #forget(socket: Socket): void {
    const requests = this.#open.get(socket)?.requests ?? [];
    this.#open.delete(socket);
    for (const signal of requests) signal.end();
    if (this.#open.size === 0) this.#onEmpty?.();
  }
}

/**
 * Tracks connections of a host application's server as far as their requests are known. Signals all requests of a
 * connection whose client has disconnected: Node closes only the current response, not those queued behind it.
 */
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

// Limits how many pipelined requests of a connection run concurrently, so that a client that pipelines gets no larger
// share of the server than one that does not. Node's parser emits all requests of a packet at once (up to 1,400 small
// ones), so further requests wait in a queue. Reading pauses only while the queue is long, because a disconnect is
// noticed only by reading.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CurrentLimits } from './limits.ts';

/** A request and its response. */
export interface HttpExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Whether the client sends its body only after `100 Continue`. */
  readonly awaitsContinue: boolean;
}

export interface PipelineQueueOptions {
  readonly begin: (exchange: HttpExchange) => void;
  readonly limits: CurrentLimits;
  /** Called when the queue overflows; the connection with the longest queue is closed. */
  readonly onOverflow: () => void;
}

/** Limit across all connections; each waiting request takes about 4 kB. */
const MAX_WAITING = 20_000;

/** Reading from a connection pauses while this many of its requests wait. */
const LONG_QUEUE = 16;

export class PipelineQueue {
  readonly #options: PipelineQueueOptions;
  readonly #queues: Map<Socket, ConnectionQueue> = new Map();
  #waitingCount = 0;

  constructor(server: Server, options: PipelineQueueOptions) {
    this.#options = options;
    server.on('connection', (socket: Socket) => {
      this.#queues.set(socket, new ConnectionQueue(socket));
      socket.once('close', () => this.#close(socket));
    });
  }

  /** Starts the request now, or when earlier requests of its connection have been answered. */
  enqueue(exchange: HttpExchange): void {
    const { socket } = exchange.incoming;
    const queue = this.#queues.get(socket);
    if (queue === undefined) return;
    queue.latest = exchange.incoming;
    if (queue.runningCount < this.#options.limits.config.serverMaxConnectionRequests) {
      queue.runningCount += 1;
      this.#options.begin(exchange);
    } else if (this.#waitingCount < MAX_WAITING || this.#makeRoom(socket, queue)) {
      this.#waitingCount += 1;
      queue.push(exchange);
    }
  }

  /** Call when the response to a request of the connection has been sent. */
  release(socket: Socket): void {
    const queue = this.#queues.get(socket);
    if (queue === undefined) return;
    queue.runningCount -= 1;
    while (queue.runningCount < this.#options.limits.config.serverMaxConnectionRequests) {
      const exchange = queue.next();
      if (exchange === undefined) break;
      this.#waitingCount -= 1;
      queue.runningCount += 1;
      this.#options.begin(exchange);
    }
    if (queue.runningCount === 0) queue.onAnswered?.();
  }

  /**
   * Call when nothing more can be received on the connection. Calls `onAnswered` once all requests that have arrived are
   * answered.
   *
   * @returns false if the latest of them cannot become complete
   */
  endAfterResponses(socket: Socket, onAnswered: () => void): boolean {
    const queue = this.#queues.get(socket);
    if (queue?.latest?.complete === false) return false;
    if (queue === undefined || queue.runningCount === 0) onAnswered();
    else queue.onAnswered ??= onAnswered;
    return true;
  }

  /**
   * Closes the connection that pipelines the most, so that others are not affected.
   *
   * @returns whether that is another connection than the given one
   */
  #makeRoom(socket: Socket, queue: ConnectionQueue): boolean {
    let longest = { socket, waitingCount: queue.waitingCount };
    for (const [other, { waitingCount }] of this.#queues) {
      if (waitingCount > longest.waitingCount) longest = { socket: other, waitingCount };
    }
    this.#options.onOverflow();
    this.#close(longest.socket);
    longest.socket.destroy();
    return longest.socket !== socket;
  }

  #close(socket: Socket): void {
    this.#waitingCount -= this.#queues.get(socket)?.waitingCount ?? 0;
    this.#queues.delete(socket);
  }
}

class ConnectionQueue {
  runningCount = 0;
  /** The request that arrived last. */
  latest: IncomingMessage | undefined;
  onAnswered: (() => void) | undefined;
  readonly #socket: Socket;
  readonly #waiting: HttpExchange[] = [];
  /** Node resumes reading whenever a response is sent. */
  readonly #pause = (): void => {
    if (this.#waiting.length >= LONG_QUEUE) this.#socket.pause();
  };

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  push(exchange: HttpExchange): void {
    this.#waiting.push(exchange);
    if (this.#waiting.length !== LONG_QUEUE) return;
    this.#socket.on('resume', this.#pause);
    // Pauses after the packet: each of its requests would make Node resume reading.
    process.nextTick(this.#pause);
  }

  next(): HttpExchange | undefined {
    const exchange = this.#waiting.shift();
    if (exchange === undefined || this.#waiting.length !== LONG_QUEUE - 1) return exchange;
    this.#socket.off('resume', this.#pause);
    this.#socket.resume();
    return exchange;
  }
}

/** Rejecting this many takes about 5 ms. */
const MAX_PER_ITERATION = 32;

/**
 * Starts a limited number of requests per turn of the event loop, so that other events are handled in between. One
 * turn delivers the requests of all connections at once, but only one answer of the database: without a limit, a burst
 * of rejected requests, however cheap, would delay accepted ones by seconds.
 */
export class RequestScheduler {
  readonly #begin: (exchange: HttpExchange) => void;
  readonly #waiting: HttpExchange[] = [];
  #begunCount = 0;

  constructor(begin: (exchange: HttpExchange) => void) {
    this.#begin = begin;
  }

  /** Starts the request in this turn of the event loop or a later one, in order of arrival. */
  readonly schedule = (exchange: HttpExchange): void => {
    if (this.#begunCount === MAX_PER_ITERATION) return void this.#waiting.push(exchange);
    if (this.#begunCount === 0) setImmediate(this.#iterate);
    this.#begunCount += 1;
    this.#begin(exchange);
  };

  readonly #iterate = (): void => {
    this.#begunCount = 0;
    while (this.#begunCount < MAX_PER_ITERATION) {
      const exchange = this.#waiting.shift();
      if (exchange === undefined) return;
      // Its client may have disconnected.
      if (!exchange.incoming.socket.destroyed) this.schedule(exchange);
    }
  };
}

// Limits how many pipelined requests of one connection are processed at a time. Node's parser emits all requests of a packet
// at once (up to 1,400 small ones): the others wait in a queue. Reading pauses only while the queue is long, because a client
// that disconnects is noticed by reading. A client that pipelines thus gets no larger share of the server than one that sends
// its requests one by one.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A request and the response to it. */
export interface HttpExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** The client sends its body after `100 Continue` only. */
  readonly awaitsContinue: boolean;
}

export interface PipelineQueueOptions {
  readonly begin: (exchange: HttpExchange) => void;
  /** Requests of one connection that are processed at a time. */
  readonly limit: () => number;
  /** There is no more room; the connection with the longest queue is closed. */
  readonly onOverflow: () => void;
}

/** On all connections together; each takes about 4 kB. */
const MAX_WAITING = 20_000;

/** With so many requests waiting on one connection, nothing more is read from it. */
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

  /** Begins the request at once, or when earlier ones of its connection are answered. */
  enqueue(exchange: HttpExchange): void {
    const { socket } = exchange.incoming;
    const queue = this.#queues.get(socket);
    if (queue === undefined) return;
    if (queue.runningCount < this.#options.limit()) {
      queue.runningCount += 1;
      this.#options.begin(exchange);
    } else if (this.#waitingCount < MAX_WAITING || this.#makeRoom(socket, queue)) {
      this.#waitingCount += 1;
      queue.hold(exchange);
    }
  }

  /** To be called when the response to one of the connection's requests is sent. */
  release(socket: Socket): void {
    const queue = this.#queues.get(socket);
    if (queue === undefined) return;
    queue.runningCount -= 1;
    while (queue.runningCount < this.#options.limit()) {
      const exchange = queue.next();
      if (exchange === undefined) return;
      this.#waitingCount -= 1;
      queue.runningCount += 1;
      this.#options.begin(exchange);
    }
  }

  /**
   * At the expense of whoever sends the most ahead: others must not suffer for it.
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

  hold(exchange: HttpExchange): void {
    this.#waiting.push(exchange);
    if (this.#waiting.length !== LONG_QUEUE) return;
    this.#socket.on('resume', this.#pause);
    // After the packet: each of its requests would make Node resume reading.
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

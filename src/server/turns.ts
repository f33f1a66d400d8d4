// Requests of one connection → their turns. A client may send requests ahead of the answers, and Node's parser brings all
// of a packet at once (1,400 small ones): few are worked on at a time, the others wait, and nothing more is read meanwhile.
// So whoever sends many at once has no more of the server than whoever sends one after the other.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A request that has arrived. */
export interface Visit {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** The client sends its body when it is told to. */
  readonly awaitsContinue: boolean;
}

export interface TurnsOptions {
  readonly begin: (visit: Visit) => void;
  /** Requests of one connection that are worked on at a time. */
  readonly limit: () => number;
  /** More would have to wait than there is room for; the connection is closed. */
  readonly onOverflow: () => void;
}

/** On all connections together; each takes about 4 kB. */
const MOST_WAITING = 20_000;

export class Turns {
  readonly #options: TurnsOptions;
  readonly #lanes: Map<Socket, Lane> = new Map();
  #waitingCount = 0;

  constructor(server: Server, options: TurnsOptions) {
    this.#options = options;
    server.on('connection', (socket: Socket) => {
      this.#lanes.set(socket, new Lane(socket));
      socket.once('close', () => this.#close(socket));
    });
  }

  /** Begins it, at once or when the ones before it are answered. */
  arrive(visit: Visit): void {
    const { socket } = visit.incoming;
    const lane = this.#lanes.get(socket);
    if (lane === undefined) return;
    if (lane.runningCount < this.#options.limit()) {
      lane.runningCount += 1;
      this.#options.begin(visit);
    } else if (this.#waitingCount < MOST_WAITING) {
      this.#waitingCount += 1;
      lane.hold(visit);
    } else {
      this.#options.onOverflow();
      socket.destroy();
    }
  }

  /** The answer to one of the connection's requests is sent. */
  leave(socket: Socket): void {
    const lane = this.#lanes.get(socket);
    if (lane === undefined) return;
    lane.runningCount -= 1;
    while (lane.runningCount < this.#options.limit()) {
      const visit = lane.next();
      if (visit === undefined) return;
      this.#waitingCount -= 1;
      lane.runningCount += 1;
      this.#options.begin(visit);
    }
  }

  #close(socket: Socket): void {
    this.#waitingCount -= this.#lanes.get(socket)?.waitingCount ?? 0;
    this.#lanes.delete(socket);
  }
}

class Lane {
  runningCount = 0;
  readonly #socket: Socket;
  readonly #waiting: Visit[] = [];
  /** Node reads on whenever an answer has left room for further ones. */
  readonly #pause = (): void => {
    if (this.#waiting.length > 0) this.#socket.pause();
  };

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  hold(visit: Visit): void {
    this.#waiting.push(visit);
    if (this.#waiting.length > 1) return;
    this.#socket.on('resume', this.#pause);
    // After the packet, each of whose requests would have it read on.
    process.nextTick(this.#pause);
  }

  next(): Visit | undefined {
    const visit = this.#waiting.shift();
    if (visit === undefined || this.#waiting.length > 0) return visit;
    this.#socket.off('resume', this.#pause);
    this.#socket.resume();
    return visit;
  }
}

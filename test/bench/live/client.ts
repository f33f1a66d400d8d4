// Clients of rooms over plain sockets, which parse as little as possible: one that watches a room, one that watches several
// on one connection, and one that polls.
import { connect, type Socket } from 'node:net';
import type { Latencies, RoomReader } from './room-log.ts';

export interface ClientOptions {
  readonly port: number;
  /** Paths with queries: one, or those of a list. */
  readonly reads: readonly string[];
  /** One for each read. */
  readonly readers: readonly RoomReader[];
  readonly hasPositions: boolean;
  readonly latencies: Latencies;
  /** Called when the first rows have arrived. */
  readonly onReady: () => void;
  readonly onRefused: () => void;
}

export interface Client {
  open(): void;
  close(): void;
}

const SEQUENCE = /"seq": ?(\d+)/gu;
const EVENT_ID = /^id: (.*)$/mu;
/** Each data of a list begins with the id of its read, which is its index. */
const LISTED_ID = /^data: \{"id": ?"(\d+)"/mu;
const REFUSED = 'HTTP/1.1 503';
const PREFER = 'Prefer: position\r\n';
const RETRY_AFTER = /^retry-after: (\d+)/imu;
/** No response is cut within a number at a distance of more than this from the end of a piece. */
const CARRIED = 32;

function findSequence(text: string): number {
  let most = 0;
  for (const [, digits] of text.matchAll(SEQUENCE)) most = Math.max(most, Number(digits));
  return most;
}

export class WatchingClient implements Client {
  readonly #options: ClientOptions;
  #socket: Socket | undefined;
  #lastId: string | undefined;
  #rest = '';
  #isReady = false;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  open(): void {
    const { port, reads, hasPositions } = this.#options;
    this.#rest = '';
    this.#isReady = false;
    const id = this.#lastId === undefined ? '' : `Last-Event-ID: ${this.#lastId}\r\n`;
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    this.#socket = socket;
    const headers = `Host: bench\r\nAccept: text/event-stream\r\n${hasPositions ? PREFER : ''}${id}`;
    socket.write(`GET ${reads[0]} HTTP/1.1\r\n${headers}\r\n`);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.#socket === socket) this.#refuse(1);
    });
  }

  /** Resets the connection, like a network that breaks. */
  close(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.resetAndDestroy();
  }

  #receive(chunk: string): void {
    const text = this.#rest + chunk;
    if (text.startsWith(REFUSED)) return this.#refuse(Number(RETRY_AFTER.exec(text)?.[1] ?? 1));
    const end = text.lastIndexOf('\n\n');
    this.#rest = text.slice(end + 2);
    if (end < 0) return;
    const events = text.slice(0, end);
    const id = EVENT_ID.exec(events.slice(events.lastIndexOf('\nid: ') + 1))?.[1];
    this.#lastId = id ?? this.#lastId;
    // A client that returns gets nothing but a comment if it has missed nothing.
    if (this.#lastId === undefined) return;
    const { readers, latencies, onReady } = this.#options;
    readers[0]?.receive(findSequence(events), latencies);
    if (!this.#isReady) onReady();
    this.#isReady = true;
  }

  #refuse(seconds: number): void {
    this.close();
    this.#options.onRefused();
    setTimeout(() => this.open(), seconds * 1000 * (0.5 + Math.random()));
  }
}

/** Watches several rooms on one connection. It reconnects only if it is refused. */
export class ListClient implements Client {
  readonly #options: ClientOptions;
  readonly #begun = new Set<number>();
  #socket: Socket | undefined;
  #rest = '';

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  open(): void {
    const { port, reads, hasPositions } = this.#options;
    this.#rest = '';
    const body = JSON.stringify(reads.map((path, index) => ({ id: String(index), path })));
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true });
    this.#socket.write(
      `POST / HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n${hasPositions ? PREFER : ''}` +
        `Content-Type: application/vnd.svc.batch+json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk.toString('latin1')));
    this.#socket.on('error', () => undefined);
  }

  close(): void {
    this.#socket?.destroy();
  }

  #receive(chunk: string): void {
    const text = this.#rest + chunk;
    const end = text.lastIndexOf('\n\n');
    this.#rest = text.slice(end + 2);
    const { reads, readers, latencies, onReady, onRefused } = this.#options;
    if (text.startsWith(REFUSED)) {
      this.close();
      onRefused();
      setTimeout(() => this.open(), 1000 * Number(RETRY_AFTER.exec(text)?.[1] ?? 1) * (0.5 + Math.random()));
      return;
    }
    for (const event of text.slice(0, Math.max(0, end)).split('\n\n')) {
      const index = Number(LISTED_ID.exec(event)?.[1] ?? NaN);
      readers[index]?.receive(findSequence(event), latencies);
      if (Number.isNaN(index) || this.#begun.size === reads.length) continue;
      this.#begun.add(index);
      if (this.#begun.size === reads.length) onReady();
    }
  }
}

export class PollingClient implements Client {
  readonly #options: ClientOptions;
  readonly #interval: number;
  #socket: Socket | undefined;
  #tail = '';
  #askedAt = 0;
  #isReady = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ClientOptions, interval: number) {
    this.#options = options;
    this.#interval = interval;
  }

  open(): void {
    this.#socket = connect({ host: '127.0.0.1', port: this.#options.port, noDelay: true });
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk.toString('latin1')));
    this.#socket.on('error', () => undefined);
    this.#timer = setTimeout(() => this.#ask(), Math.random() * this.#interval);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#socket?.destroy();
  }

  #ask(): void {
    this.#askedAt = performance.now();
    this.#socket?.write(`GET ${this.#options.reads[0]} HTTP/1.1\r\nHost: bench\r\n\r\n`);
  }

  /** The last row of a response ends it, or an error. */
  #receive(chunk: string): void {
    const text = this.#tail + chunk;
    this.#tail = text.slice(-CARRIED);
    const { readers, latencies, onReady, onRefused } = this.#options;
    if (text.startsWith(REFUSED)) onRefused();
    readers[0]?.receive(findSequence(text), latencies);
    if (!/[\]}]$/u.test(text)) return;
    this.#tail = '';
    if (!this.#isReady) onReady();
    this.#isReady = true;
    this.#timer = setTimeout(() => this.#ask(), Math.max(0, this.#askedAt + this.#interval - performance.now()));
  }
}

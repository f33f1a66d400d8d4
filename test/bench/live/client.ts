// Clients of rooms over plain sockets, which parse as little as possible: one that watches, and one that polls.
import { connect, type Socket } from 'node:net';
import type { Latencies, RoomReader } from './room-log.ts';

export interface ClientOptions {
  readonly port: number;
  /** Path and query. */
  readonly target: string;
  readonly reader: RoomReader;
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
const REFUSED = 'HTTP/1.1 503';
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
    const { port, target } = this.#options;
    this.#rest = '';
    this.#isReady = false;
    const id = this.#lastId === undefined ? '' : `Last-Event-ID: ${this.#lastId}\r\n`;
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    this.#socket = socket;
    socket.write(`GET ${target} HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n${id}\r\n`);
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
    const { reader, latencies, onReady } = this.#options;
    reader.receive(findSequence(events), latencies);
    if (!this.#isReady) onReady();
    this.#isReady = true;
  }

  #refuse(seconds: number): void {
    this.close();
    this.#options.onRefused();
    setTimeout(() => this.open(), seconds * 1000 * (0.5 + Math.random()));
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
    this.#socket?.write(`GET ${this.#options.target} HTTP/1.1\r\nHost: bench\r\n\r\n`);
  }

  /** The last row of a response ends it, or an error. */
  #receive(chunk: string): void {
    const text = this.#tail + chunk;
    this.#tail = text.slice(-CARRIED);
    const { reader, latencies, onReady, onRefused } = this.#options;
    if (text.startsWith(REFUSED)) onRefused();
    reader.receive(findSequence(text), latencies);
    if (!/[\]}]$/u.test(text)) return;
    this.#tail = '';
    if (!this.#isReady) onReady();
    this.#isReady = true;
    this.#timer = setTimeout(() => this.#ask(), Math.max(0, this.#askedAt + this.#interval - performance.now()));
  }
}

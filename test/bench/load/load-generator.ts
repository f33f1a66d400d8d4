// A separate process that receives orders, sends requests until the time is over, one at a time on each connection, and
// reports the results. Parses as little of a response as possible.
import { connect, type Socket } from 'node:net';
import type { LoadOrder, LoadResult } from './run-load.ts';

const READ_BUFFER_SIZE = 256 * 1024;
const CONTENT_LENGTH = /\r\ncontent-length: (\d+)/iu;
const CHUNKED = '\r\nTransfer-Encoding: chunked';
const HEAD_END = '\r\n\r\n';
/** No body of a benchmark case ends like this. */
const LAST_CHUNK = '0\r\n\r\n';
/** Every hundredth request is slow, if the order includes a slow request. */
const SLOW_INTERVAL = 100;

interface Turn {
  readonly request: Buffer | undefined;
  /** When the latency of the request begins. */
  readonly start: number;
}

class Load {
  readonly #order: LoadOrder;
  readonly #requests: readonly Buffer[];
  readonly #slowRequest: Buffer | undefined;
  readonly #settle: (result: LoadResult) => void;
  readonly #latencies: number[] = [];
  readonly #start: number = performance.now();
  #count = 0;
  #failures = 0;
  /** Connections that wait until a request is due. */
  readonly #idle: Client[] = [];
  readonly #clock: NodeJS.Timeout | undefined;
  #openCount: number;
  #next = 0;

  constructor(order: LoadOrder, settle: (result: LoadResult) => void) {
    this.#order = order;
    this.#requests = order.requests.map((text) => Buffer.from(text));
    this.#slowRequest = order.slowRequest === undefined ? undefined : Buffer.from(order.slowRequest);
    this.#settle = settle;
    this.#openCount = order.connections;
    if (order.rate !== undefined) this.#clock = setInterval(() => this.#wake(), 1);
  }

  run(): void {
    for (let count = 0; count < this.#order.connections; count += 1) new Client(this).open(this.#order.port);
  }

  /** @returns `undefined` at the end */
  nextTurn(): Turn | 'wait' | undefined {
    const now = performance.now();
    const start = this.#order.rate === undefined ? now : this.#start + (this.#next * 1000) / this.#order.rate;
    if (start - this.#start >= this.#order.milliseconds) return undefined;
    if (start > now) return 'wait';
    this.#next += 1;
    const isSlow = this.#next % SLOW_INTERVAL === 0 && this.#slowRequest !== undefined;
    return { request: isSlow ? this.#slowRequest : this.#requests[this.#next % this.#requests.length], start };
  }

  wait(client: Client): void {
    this.#idle.push(client);
  }

  /** Each connection takes a request that is due, ends, or waits again. */
  #wake(): void {
    for (const client of this.#idle.splice(0)) client.send();
  }

  record(latency: number, status: number, request: Buffer | undefined): void {
    this.#count += 1;
    if (request !== this.#slowRequest) this.#latencies.push(latency);
    if (status !== this.#order.status) this.#failures += 1;
  }

  /** Handles the end of a connection: the time is over, or the server closed it. */
  leave(isExpected: boolean): void {
    if (!isExpected) this.#failures += 1;
    this.#openCount -= 1;
    if (this.#openCount > 0) return;
    clearInterval(this.#clock);
    const latencies = this.#latencies.sort((a, b) => a - b);
    const quantile = (part: number): number => latencies[Math.floor(part * latencies.length)] ?? NaN;
    this.#settle({
      count: this.#count,
      failures: this.#failures,
      milliseconds: performance.now() - this.#start,
      p50: quantile(0.5),
      p99: quantile(0.99),
    });
  }
}

class Client {
  readonly #load: Load;
  #socket: Socket | undefined;
  #request: Buffer | undefined;
  #startedAt = 0;
  /** The start of a response whose head is incomplete. */
  #head = '';
  /** Bytes of the body still missing, infinite for a chunked body; `undefined` while the head is incomplete. */
  #missing: number | undefined;
  /** The last bytes of a chunked body. */
  #tail = '';
  #status = 0;
  #isDone = false;

  constructor(load: Load) {
    this.#load = load;
  }

  open(port: number): void {
    const onread = { buffer: Buffer.alloc(READ_BUFFER_SIZE), callback: this.#read };
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true, onread }, () => this.send());
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => this.#load.leave(this.#isDone));
  }

  send(): void {
    const turn = this.#load.nextTurn();
    if (turn === 'wait') {
      this.#load.wait(this);
      return;
    }
    if (turn?.request === undefined) {
      this.#isDone = true;
      this.#socket?.destroy();
      return;
    }
    this.#request = turn.request;
    this.#missing = undefined;
    this.#tail = '';
    this.#startedAt = turn.start;
    this.#socket?.write(turn.request);
  }

  readonly #read = (length: number, bytes: Uint8Array): boolean => {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, length);
    const bodyLength = this.#missing === undefined ? this.#readHead(chunk) : length;
    if (this.#missing === undefined) return true;
    this.#missing -= bodyLength;
    if (this.#missing === Infinity && this.#hasLastChunk(chunk)) this.#missing = 0;
    if (this.#missing > 0) return true;
    this.#load.record(performance.now() - this.#startedAt, this.#status, this.#request);
    this.send();
    return true;
  };

  /** @returns the number of bytes after the head in the chunk */
  #readHead(chunk: Buffer): number {
    const before = this.#head.length;
    // No head is this long: the rest of the chunk is body.
    this.#head += chunk.toString('latin1', 0, 2048);
    const end = this.#head.indexOf(HEAD_END);
    if (end === -1) return 0;
    this.#status = Number(this.#head.slice(9, 12));
    const head = this.#head.slice(0, end);
    this.#missing = head.includes(CHUNKED) ? Infinity : Number(CONTENT_LENGTH.exec(head)?.[1] ?? 0);
    this.#head = '';
    return chunk.length - (end + HEAD_END.length - before);
  }

  #hasLastChunk(chunk: Buffer): boolean {
    const end = chunk.toString('latin1', Math.max(0, chunk.length - LAST_CHUNK.length));
    this.#tail = (this.#tail + end).slice(-LAST_CHUNK.length);
    return this.#tail === LAST_CHUNK;
  }
}

process.on('message', (order: LoadOrder) => {
  new Load(order, (result) => process.send?.(result)).run();
});

// A client on a connection: it sends requests, reads the responses at the speed that a test sets, and disconnects when
// the test tells it to.
import { connect, type Socket } from 'node:net';
import { until } from '../support/until.ts';
import { type Answer, AnswerReader } from './answer-reader.ts';

export interface Question {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Conversation {
  /** Waits for the head of a response, or for the end of the connection. Stops reading afterwards. */
  head(): Promise<void>;
  /** Waits until `size` bytes have arrived, or for the end of the connection. */
  received(size: number): Promise<void>;
  /** Stops reading. */
  pause(): void;
  /** Reads a few bytes several times per second. */
  trickle(): void;
  /** Sends a part of the request body. */
  send(bytes: string): void;
  /** Ends the request body. */
  endBody(): void;
  /** Reads to the end. @returns a response per request, or fewer if the connection ended before */
  finish(): Promise<readonly Answer[]>;
  leave(how: LeaveBy): void;
  /** True if the connection was reset. */
  readonly wasReset: boolean;
  /** Returns whether another request on this connection gets a 200; undefined if the server has closed it. */
  askAgain(target: string): Promise<boolean | undefined>;
}

export type LeaveBy = 'reset' | 'close';

/** How long a failing test waits, in seconds. */
export const SECONDS = 30;
const READ_BYTES = 65_536;
const TRICKLE_BYTES = 100;
const TRICKLE_MS = 100;

export interface SocketOptions {
  readonly port: number;
  readonly version: '1.0' | '1.1';
  /** Number of requests sent at once. If the last one has a body, the others come before it and have none. */
  readonly count: number;
}

export class SocketConversation implements Conversation {
  readonly #socket: Socket;
  readonly #reader: AnswerReader;
  readonly #count: number;
  readonly #isChunked: boolean;
  wasReset = false;
  #speed: 'full' | 'trickle' | 'head' | 'none' = 'full';
  #isClosed = false;
  #problem: unknown;
  #timer: NodeJS.Timeout | undefined;

  constructor({ port, version, count }: SocketOptions, question: Question, before: Question = question) {
    this.#reader = new AnswerReader(question.method);
    this.#count = count;
    this.#isChunked = question.headers['Transfer-Encoding'] === 'chunked';
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      allowHalfOpen: true,
      onread: {
        buffer: () => Buffer.allocUnsafe(this.#speed === 'trickle' ? TRICKLE_BYTES : READ_BYTES),
        callback: (size, bytes) => this.#read(Buffer.from(bytes.buffer, bytes.byteOffset, size)),
      },
    });
    this.#socket.on('error', () => (this.wasReset = true));
    this.#socket.on('end', () => this.#findReset(version));
    this.#socket.on('close', () => this.#close());
    const heads = Array.from({ length: count }, (_, index) => (index + 1 < count ? before : question));
    this.#socket.write(heads.map((each) => renderHead(each, version)).join(''));
  }

  async head(): Promise<void> {
    this.#speed = this.#hasHead ? 'none' : 'head';
    await this.#until(() => this.#hasHead);
  }

  async received(size: number): Promise<void> {
    await this.#until(() => this.#reader.size >= size);
  }

  pause(): void {
    this.#speed = 'none';
    this.#socket.pause();
  }

  trickle(): void {
    this.#speed = 'trickle';
    this.#timer = setInterval(() => this.#socket.resume(), TRICKLE_MS);
  }

  send(bytes: string): void {
    this.#socket.write(this.#isChunked ? `${Buffer.byteLength(bytes).toString(16)}\r\n${bytes}\r\n` : bytes);
  }

  endBody(): void {
    if (this.#isChunked) this.#socket.write('0\r\n\r\n');
  }

  async finish(): Promise<readonly Answer[]> {
    clearInterval(this.#timer);
    this.#speed = 'full';
    this.#socket.resume();
    await this.#until(() => this.#reader.answers.length === this.#count);
    return [...this.#reader.answers];
  }

  leave(how: LeaveBy): void {
    if (how === 'reset') this.#socket.resetAndDestroy();
    else this.#socket.destroySoon();
  }

  async askAgain(target: string): Promise<boolean | undefined> {
    const { answers } = this.#reader;
    if (this.#isClosed || answers.at(-1)?.headers.get('connection') === 'close') return undefined;
    this.#socket.write(renderHead({ method: 'GET', target, headers: {} }, '1.1'));
    await this.#until(() => answers.length > this.#count);
    return answers[this.#count]?.status === 200;
  }

  get #hasHead(): boolean {
    return this.#reader.openStatus !== undefined || this.#reader.answers.length > 0;
  }

  /**
   * libuv reports a reset as an end if data arrived with it. For HTTP/1.0 the two differ: only a connection that was
   * reset rejects writes at once.
   */
  #findReset(version: SocketOptions['version']): void {
    if (version !== '1.0') this.#socket.destroy();
    else
      this.#socket.write('\n', (error) => {
        this.wasReset ||= error instanceof Error;
        this.#socket.destroy();
      });
  }

  /** @returns whether reading continues */
  #read(bytes: Buffer): boolean {
    try {
      this.#reader.add(bytes);
    } catch (error) {
      this.#problem ??= error;
      this.#socket.destroy();
    }
    if (this.#speed === 'head' && this.#hasHead) this.#speed = 'none';
    return this.#speed === 'full' || this.#speed === 'head';
  }

  #close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#reader.close(this.wasReset);
  }

  async #until(condition: () => boolean): Promise<void> {
    const why = (): string => `${this.#reader.answers.length} answers of ${this.#count}, ${this.#reader.size} bytes`;
    await until(() => condition() || this.#isClosed, { seconds: SECONDS, why });
    if (this.#problem instanceof Error) throw this.#problem;
  }
}

function renderHead({ method, target, headers }: Question, version: SocketOptions['version']): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/${version}\r\nHost: x\r\n${lines.join('')}\r\n`;
}

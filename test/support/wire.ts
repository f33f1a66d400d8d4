// A kept-alive connection that sends one request at a time as raw bytes: fast enough for a million requests, and able
// to disconnect in the middle of one. Reconnects if the server closes the connection or announces that it will.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Answer, Question } from './http-client.ts';

const HEAD_END = '\r\n\r\n';
/** Milliseconds. */
const TIMEOUT_MS = 60_000;

interface Awaited {
  readonly hasBody: boolean;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

export class Wire {
  readonly #port: number;
  #socket: Socket | undefined;
  #received: Buffer = Buffer.alloc(0);
  #awaited: Awaited | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** Rejects if the connection closes before the response is complete. */
  async ask(question: Question): Promise<Answer> {
    const socket = this.#socket ?? this.#open();
    const answer = new Promise<Answer>((resolve, reject) => {
      this.#awaited = { hasBody: question.method !== 'HEAD', resolve, reject };
    });
    socket.write(renderQuestion(question));
    return answer;
  }

  /** Sends the request, or its first `length` bytes, and disconnects after `pause` milliseconds without reading. */
  async abandon(question: Question, { length, pause }: { length?: number; pause: number }): Promise<void> {
    const socket = connect({ host: '127.0.0.1', port: this.#port, noDelay: true });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(Buffer.from(renderQuestion(question)).subarray(0, length));
    await setTimeout(pause);
    socket.destroy();
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open(): Socket {
    const socket = connect({ host: '127.0.0.1', port: this.#port, noDelay: true });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no answer')));
    let problem: Error | undefined;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', (error) => (problem = error));
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#forget();
      this.#awaited?.reject(problem ?? new Error('the connection was closed'));
      this.#awaited = undefined;
    });
    this.#socket = socket;
    return socket;
  }

  #forget(): void {
    this.#socket = undefined;
    this.#received = Buffer.alloc(0);
  }

  #read(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const headLength = this.#received.indexOf(HEAD_END);
    if (headLength === -1 || this.#awaited === undefined) return;
    const head = this.#received.toString('utf8', 0, headLength);
    const headers = readHeaders(head);
    const start = headLength + HEAD_END.length;
    const end = start + (this.#awaited.hasBody ? Number(headers['content-length'] ?? 0) : 0);
    if (this.#received.length < end) return;
    const body = this.#received.toString('utf8', start, end);
    const { resolve } = this.#awaited;
    this.#awaited = undefined;
    this.#received = this.#received.subarray(end);
    if (headers['connection'] === 'close') {
      const socket = this.#socket;
      this.#forget();
      socket?.destroy();
    }
    resolve({ status: Number(head.slice(9, 12)), headers, body });
  }
}

function renderQuestion({ method, url, headers, body }: Question): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = body === undefined ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${url} HTTP/1.1\r\nHost: fuzz\r\n${lines.join('')}${length}\r\n${String(body ?? '')}`;
}

function readHeaders(head: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 2);
  }
  return headers;
}

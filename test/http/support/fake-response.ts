// A response of `node:http` without a network: the test decides when the client reads and what throws.
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpExchange } from '../../../src/http/limits/pipeline-queue.ts';

type Written = (error?: Error | null) => void;

class FakeSocket extends EventEmitter {
  readonly #response: FakeResponse;

  constructor(response: FakeResponse) {
    super();
    this.#response = response;
  }

  get bytesWritten(): number {
    return this.#response.written;
  }

  get writableLength(): number {
    return this.#response.writableLength;
  }

  write(_bytes: Uint8Array, written: Written): void {
    this.#response.written += 1;
    this.#response.keep(1, written);
  }

  destroySoon(): void {
    this.#response.isEnding = true;
  }

  resetAndDestroy(): void {
    this.destroy();
  }

  destroy(): void {
    this.#response.close();
  }
}

export class FakeResponse extends EventEmitter {
  readonly req = { httpVersion: '1.1' };
  socket: FakeSocket | null = null;
  headersSent = false;
  destroyed = false;
  writableLength = 0;
  written = 0;
  isEnding = false;
  throwsAtHead = false;
  throwsAtWrite = false;
  #callbacks: Written[] = [];

  asExchange(httpVersion: '1.0' | '1.1' = '1.1'): HttpExchange {
    const incoming = { httpVersion, complete: true };
    return {
      incoming: incoming as unknown as IncomingMessage,
      outgoing: this as unknown as ServerResponse,
      awaitsContinue: false,
    };
  }

  assignSocket(): void {
    if (this.socket !== null || this.destroyed) return;
    this.socket = new FakeSocket(this);
    this.emit('socket', this.socket);
  }

  writeHead(): void {
    if (this.throwsAtHead) throw new Error('invalid header');
    this.headersSent = true;
  }

  write(piece: Uint8Array, written: Written): boolean {
    if (this.throwsAtWrite) throw new Error('cannot be written');
    this.written += piece.length;
    this.keep(piece.length, written);
    return this.writableLength < 16_384;
  }

  keep(bytes: number, written: Written): void {
    this.writableLength += bytes;
    this.#callbacks.push(written);
  }

  end(): void {
    this.isEnding = true;
  }

  /** Lets the client read everything. */
  flush(): void {
    if (this.destroyed || this.socket === null) return;
    const wasFull = this.writableLength >= 16_384;
    this.writableLength = 0;
    for (const written of this.#callbacks.splice(0)) written();
    if (wasFull && !this.isEnding) this.emit('drain');
    if (this.isEnding) this.close();
  }

  close(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit('close');
  }

  destroy(): void {
    this.close();
  }
}

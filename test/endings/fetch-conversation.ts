// A client of a Fetch API handler, which disconnects by aborting the request or cancelling the response.
import type { FetchHandler } from '../../src/index.ts';
import { until } from '../support/until.ts';
import type { Answer } from './answer-reader.ts';
import { type Conversation, type LeaveBy, type Question, SECONDS } from './conversation.ts';

const TRICKLE_MS = 100;
const ENCODER = new TextEncoder();

export class FetchConversation implements Conversation {
  readonly wasReset: boolean = false;
  readonly #abort: AbortController = new AbortController();
  readonly #upload: TransformStream<Uint8Array, Uint8Array> | undefined;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array> | undefined;
  readonly #pieces: Uint8Array[] = [];
  #response: Response | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #size = 0;
  #ending: Answer['ending'] | undefined;
  #speed: 'full' | 'trickle' | 'none' = 'full';

  constructor(handler: FetchHandler, { method, target, headers }: Question) {
    this.#upload = method === 'POST' ? new TransformStream() : undefined;
    this.#writer = this.#upload?.writable.getWriter();
    // A rejected body is not read to the end.
    this.#writer?.closed.catch(() => undefined);
    const body = this.#upload && { body: this.#upload.readable, duplex: 'half' as const };
    const { signal } = this.#abort;
    void this.#run(handler(new Request(`http://x${target}`, { method, headers, signal, ...body })));
  }

  async head(): Promise<void> {
    this.#speed = 'none';
    await this.#until(() => this.#response !== undefined);
  }

  async received(size: number): Promise<void> {
    await this.#until(() => this.#size >= size || this.#ending !== undefined);
  }

  pause(): void {
    this.#speed = 'none';
  }

  trickle(): void {
    this.#speed = 'trickle';
  }

  send(bytes: string): void {
    this.#writer?.write(ENCODER.encode(bytes)).catch(() => undefined);
  }

  endBody(): void {
    this.#writer?.close().catch(() => undefined);
  }

  async finish(): Promise<readonly Answer[]> {
    this.#speed = 'full';
    await this.#until(() => this.#ending !== undefined);
    const { status = 0, headers = new Headers() } = this.#response ?? {};
    return [{ status, headers: new Map(headers), body: Buffer.concat(this.#pieces), ending: this.#ending ?? 'part' }];
  }

  leave(how: LeaveBy): void {
    this.#speed = 'full';
    this.#writer?.abort().catch(() => undefined);
    if (how === 'reset' || this.#reader === undefined) this.#abort.abort();
    this.#reader?.cancel().catch(() => undefined);
  }

  askAgain(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async #run(answered: Promise<Response>): Promise<void> {
    this.#response = await answered;
    this.#reader = this.#response.body?.getReader();
    try {
      while (await this.#readPiece());
      this.#ending = 'whole';
    } catch {
      this.#ending = 'part';
    }
  }

  /** @returns whether more follows */
  async #readPiece(): Promise<boolean> {
    await until(() => this.#speed !== 'none', { seconds: 2 * SECONDS });
    if (this.#speed === 'trickle') await new Promise((resolve) => setTimeout(resolve, TRICKLE_MS));
    const piece = (await this.#reader?.read())?.value;
    if (piece === undefined) return false;
    this.#size += piece.length;
    this.#pieces.push(piece);
    return true;
  }

  async #until(condition: () => boolean): Promise<void> {
    await until(condition, { seconds: SECONDS, why: () => `${this.#size} bytes of a response` });
  }
}

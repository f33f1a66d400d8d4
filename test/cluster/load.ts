// Clients that write, read their own writes, and read the writes of others, and record the responses. No write is sent
// twice.
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until.ts';
import type { Note } from './notes.ts';

/** Milliseconds between the requests of a client. */
const PAUSE = 20;
/** Milliseconds. Longer than every limit of the servers, so that the servers report the outcome. */
const LONGEST = 90_000;

export const WRITERS = 6;
const READERS = 4;

interface Answer {
  readonly outcome: string;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

interface Written {
  readonly request: number;
  readonly position: string;
}

export class Load {
  readonly notes: Note[] = [];
  readonly #host: string;
  readonly #agent: Agent = new Agent({ keepAlive: true });
  readonly #clients: readonly Promise<void>[];
  #nextRequest = 1;
  /** The most recent write that a client has confirmed. */
  #latest: Written | undefined;
  #isOver = false;

  /** @param host a host that listens on port 80 */
  constructor(host: string) {
    this.#host = host;
    const writers = Array.from({ length: WRITERS }, () => this.#keep(() => this.#write()));
    const readers = Array.from({ length: READERS }, () => this.#keep(() => this.#readLatest()));
    this.#clients = [...writers, ...readers];
  }

  /** Waits for `count` more successful writes. */
  async writes(count: number): Promise<void> {
    const before = this.notes.length;
    const done = (): number =>
      this.notes.slice(before).filter(({ kind, outcome }) => kind === 'write' && outcome === '201').length;
    await until(() => done() >= count, { why: () => `${count} more writes, after ${done()}` });
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
    this.#agent.destroy();
  }

  async #keep(ask: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      await ask();
      await sleep(PAUSE);
    }
  }

  async #write(): Promise<void> {
    const number = this.#nextRequest;
    this.#nextRequest += 1;
    const { outcome, headers } = await this.#send('/entries', { body: `{"request":${number}}` });
    this.#note({ kind: 'write', request: number, outcome, isStale: false });
    if (outcome !== '201') return;
    const written = { request: number, position: String(headers['svc-lsn']) };
    this.#latest = written;
    await this.#readWritten(written);
  }

  async #readWritten({ request: number, position }: Written): Promise<void> {
    const { outcome, text } = await this.#send(`/entries?select=request&request=eq.${number}`, { position });
    this.#note({ kind: 'positioned read', request: number, outcome, isStale: outcome === '200' && text === '[]' });
  }

  /** Reads the latest write of another client, with and without its position. */
  async #readLatest(): Promise<void> {
    if (this.#latest === undefined) return;
    await this.#readWritten(this.#latest);
    const number = this.#latest.request;
    const { outcome } = await this.#send(`/entries?select=request&request=eq.${number}`, {});
    this.#note({ kind: 'read', request: number, outcome, isStale: false });
  }

  #note(note: Omit<Note, 'at'>): void {
    this.notes.push({ ...note, at: performance.now() });
  }

  #send(
    path: string,
    { body = '', position }: { readonly body?: string; readonly position?: string },
  ): Promise<Answer> {
    return new Promise((resolve) => {
      const settle = (outcome: string, text = '', headers: IncomingHttpHeaders = {}): void =>
        resolve({ outcome, text, headers });
      const outgoing = request({
        agent: this.#agent,
        host: this.#host,
        method: body === '' ? 'GET' : 'POST',
        path,
        headers: {
          ...(position === undefined ? {} : { 'svc-lsn': position }),
          ...(body === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': body.length }),
        },
        timeout: LONGEST,
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')));
      outgoing.on('error', (error: NodeJS.ErrnoException) => settle(error.code ?? error.message));
      outgoing.on('response', (incoming) => {
        let text = '';
        incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
        incoming.on('error', () => settle('cut'));
        incoming.on('end', () => settle(describe(incoming.statusCode ?? 0, text), text, incoming.headers));
      });
      outgoing.end(body);
    });
  }
}

/** Returns the status, with the error code of Rowhouse if there is one. */
function describe(status: number, text: string): string {
  const [, code] = /^\{"code":"(\w+)"/u.exec(text) ?? [];
  return code === undefined ? String(status) : `${status} ${code}`;
}

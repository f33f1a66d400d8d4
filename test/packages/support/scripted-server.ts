// A server of lists of live reads (`beyond.md` §6.1) that does exactly what a test tells it.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach } from 'vitest';
import { listen, portOf } from '../../support/listen.ts';
import { until } from '../../support/until.ts';

export interface ListElement {
  readonly id: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly lastEventId?: string;
}

/** A request, which waits for its response. */
export class Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  isClosed = false;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, text: string, response: ServerResponse) {
    this.method = request.method ?? '';
    this.path = request.url ?? '';
    this.headers = request.headers;
    this.text = text;
    this.#response = response;
    response.on('close', () => (this.isClosed = true));
  }

  /** The elements of a list. */
  get list(): readonly ListElement[] {
    return JSON.parse(this.text) as readonly ListElement[];
  }

  /** Paths without the slash, with the event that they go on after: `todos`, `todos@e1`. */
  get reads(): readonly string[] {
    return this.list.map(
      ({ path, lastEventId }) => path.slice(1) + (lastEventId === undefined ? '' : `@${lastEventId}`),
    );
  }

  idOf(path: string): string {
    const element = this.list.find((other) => other.path === `/${path}`);
    if (element === undefined) throw new Error(`${path} is not in ${this.text}`);
    return element.id;
  }

  open(): this {
    this.#response.writeHead(200, { 'content-type': 'text/event-stream' });
    this.#response.flushHeaders();
    return this;
  }

  answer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
    this.#response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  }

  rows(path: string, eventId: string, rows: readonly unknown[]): this {
    return this.raw(renderEvent('rows', { id: this.idOf(path), eventId, rows }));
  }

  change(path: string, eventId: string, upsert: readonly unknown[], gone: readonly unknown[] = []): this {
    return this.raw(renderEvent('change', { id: this.idOf(path), eventId, upsert, delete: gone }));
  }

  reset(path: string): this {
    return this.raw(renderEvent('reset', { id: this.idOf(path) }));
  }

  error(path: string, status: number, error: unknown = { message: `status ${status}` }): this {
    return this.raw(renderEvent('error', { id: this.idOf(path), status, error }));
  }

  position(position: string): this {
    return this.raw(`event: position\ndata: ${position}\n\n`);
  }

  raw(bytes: string | Uint8Array): this {
    this.#response.write(bytes);
    return this;
  }

  end(): void {
    this.#response.end();
  }

  cut(): void {
    this.#response.destroy();
  }

  async closed(): Promise<void> {
    await until(() => this.isClosed, { seconds: 10, why: () => `${this.text} is open` });
  }
}

export class ScriptedServer {
  /** All requests, the oldest first. */
  readonly exchanges: Exchange[] = [];
  readonly #server: Server;
  #taken = 0;

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => this.exchanges.push(new Exchange(request, Buffer.concat(chunks).toString(), response)));
    });
  }

  async listen(): Promise<void> {
    await listen(this.#server);
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  /** The next request. */
  async next(): Promise<Exchange> {
    const exchange = await until(() => this.exchanges[this.#taken], {
      seconds: 10,
      why: () => `there are ${this.#taken} requests`,
    });
    this.#taken += 1;
    return exchange;
  }

  /** The next list, accepted. */
  async accept(): Promise<Exchange> {
    return (await this.next()).open();
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

export function renderEvent(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Stops the servers after each test. */
export function useScriptedServers(): () => Promise<ScriptedServer> {
  const servers: ScriptedServer[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.stop();
  });
  return async () => {
    const server = new ScriptedServer();
    servers.push(server);
    await server.listen();
    return server;
  };
}

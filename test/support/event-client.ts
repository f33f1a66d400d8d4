// Reads a stream of server-sent events over a real socket.
import { request, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { until } from './until.ts';
import { use } from './use.ts';

export interface ReceivedEvent {
  readonly name: string;
  readonly id: string | undefined;
  readonly data: string;
}

export interface EventClientOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly body?: string;
}

export class EventClient {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly events: ReceivedEvent[] = [];
  /** Everything received, as text. */
  text = '';
  /** How the response ended: completely, or broken off. */
  end: 'complete' | 'broken' | undefined;
  readonly #request: ClientRequest;
  readonly #response: IncomingMessage;
  #rest = '';
  #lastCharacter = '';

  constructor(sent: ClientRequest, response: IncomingMessage) {
    this.#request = sent;
    this.#response = response;
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.#receive(chunk));
    response.on('end', () => (this.end ??= 'complete'));
    response.on('error', () => (this.end ??= 'broken'));
    response.on('close', () => (this.end ??= response.complete ? 'complete' : 'broken'));
  }

  /** Resolves with the first `count` events. */
  async first(count: number): Promise<readonly ReceivedEvent[]> {
    const why = (): string => `${count} events in ${this.text}`;
    await until(() => this.events.length >= count || this.end !== undefined, { why });
    if (this.events.length < count) throw new Error(`the stream has ended: ${why()}`);
    return this.events.slice(0, count);
  }

  async ended(): Promise<'complete' | 'broken'> {
    return until(() => this.end, { why: () => `no end after ${this.text}` });
  }

  pause(): void {
    this.#response.pause();
  }

  resume(): void {
    this.#response.resume();
  }

  close(): void {
    this.#request.destroy();
  }

  #receive(chunk: string): void {
    this.text += chunk;
    const isBlockOver = `${this.#lastCharacter}${chunk}`.includes('\n\n');
    this.#lastCharacter = chunk.slice(-1);
    this.#rest += chunk;
    if (!isBlockOver) return;
    const blocks = this.#rest.split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event !== undefined) this.events.push(event);
    }
  }
}

/** Resolves when the head of the response has arrived. Disconnects after the test. */
export function openEvents(port: number, path: string, options: EventClientOptions = {}): Promise<EventClient> {
  const { headers = {}, method = 'GET', body } = options;
  const opened = new Promise<EventClient>((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      agent: false,
      headers: { Accept: 'text/event-stream', ...headers },
    });
    sent.on('response', (response) => resolve(new EventClient(sent, response)));
    sent.on('error', reject);
    sent.end(body);
  });
  return use(opened);
}

/** As a browser does: comments and blocks without data are no events. */
function parseBlock(block: string): ReceivedEvent | undefined {
  const fields = block.split('\n').flatMap((line) => {
    const colon = line.indexOf(':');
    return colon === 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1).replace(/^ /u, '')] as const];
  });
  const data = fields.filter(([name]) => name === 'data').map(([, value]) => value);
  if (data.length === 0) return undefined;
  const last = (name: string): string | undefined => fields.findLast(([field]) => field === name)?.[1];
  return { name: last('event') ?? 'message', id: last('id'), data: data.join('\n') };
}

// A server of live reads as a model: one counter per path, whose every step is an event. It answers as `fetch` would, after
// delays that a seed decides, and cuts, refuses, resets and forgets.
import { type ListElement, renderEvent } from './scripted-server.ts';
import type { Random } from '../../support/generate/random.ts';

interface Stream {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  readonly paths: ReadonlySet<string>;
  /** When the last piece arrives: later ones do not overtake it. */
  arrival: number;
  isOver: boolean;
  readonly ids: ReadonlyMap<string, string>;
}

export class ModelServer {
  /** Every event of a path is one more. */
  readonly counts: Map<string, number> = new Map<string, number>();
  /** Raised by each step of any path. */
  position = 1;
  isCalm = false;
  openings = 0;
  readonly #random: Random;
  readonly #streams = new Set<Stream>();
  /** Ids of another process are unknown. */
  #epoch = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  step(path: string): void {
    const count = (this.counts.get(path) ?? 0) + 1;
    this.counts.set(path, count);
    this.position += 1;
    for (const stream of this.#streams) {
      const id = stream.ids.get(path);
      if (id === undefined) continue;
      this.#send(stream, this.#change(id, path, count) + this.#renderPosition());
    }
  }

  readonly fetch: (url: string, init: RequestInit) => Promise<Response> = async (_, init) => {
    await this.#delay(init.signal);
    if (this.#happens(0.1)) throw new TypeError('fetch failed');
    if (this.#happens(0.1)) return Response.json({ message: 'full' }, { status: 503 });
    if (this.#happens(0.1)) return Response.json({ message: 'token' }, { status: 401 });
    if (this.#happens(0.1)) this.#epoch += 1;
    const list = JSON.parse(init.body as string) as readonly ListElement[];
    this.openings += 1;
    let stream: Stream | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        stream = {
          controller,
          paths: new Set(list.map(({ path }) => path)),
          arrival: 0,
          isOver: false,
          ids: new Map(list.map(({ id, path }) => [path, id])),
        };
      },
    });
    if (stream === undefined) throw new Error('the stream has not started');
    this.#streams.add(stream);
    for (const element of list) this.#begin(stream, element);
    this.#send(stream, this.#renderPosition());
    const opened = stream;
    init.signal?.addEventListener('abort', () => this.#close(opened));
    if (this.#happens(0.3)) setTimeout(() => this.#close(opened), this.#random.roll(2000));
    await this.#delay(init.signal);
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };

  #begin(stream: Stream, { id, path, lastEventId }: ListElement): void {
    const count = this.counts.get(path) ?? 0;
    const [epoch, number] = (lastEventId ?? '').split('-').map(Number);
    if (epoch === this.#epoch && number !== undefined && !this.#happens(0.1)) {
      for (let next = number + 1; next <= count; next += 1) this.#send(stream, this.#change(id, path, next));
      return;
    }
    const reset = lastEventId === undefined ? '' : renderEvent('reset', { id });
    const rows = renderEvent('rows', { id, eventId: `${this.#epoch}-${count}`, rows: [{ id: path, count }] });
    this.#send(stream, reset + rows);
  }

  #change(id: string, path: string, count: number): string {
    return renderEvent('change', { id, eventId: `${this.#epoch}-${count}`, upsert: [{ id: path, count }], delete: [] });
  }

  #renderPosition(): string {
    return `event: position\ndata: 1:0/${this.position.toString(16)}\n\n`;
  }

  #send(stream: Stream, text: string): void {
    const bytes = new TextEncoder().encode(text);
    stream.arrival = Math.max(stream.arrival, Date.now() + this.#random.roll(30));
    const cut = this.#happens(0.01) ? this.#random.roll(bytes.length) : undefined;
    setTimeout(() => {
      if (stream.isOver) return;
      stream.controller.enqueue(bytes.subarray(0, cut));
      if (cut !== undefined) this.#close(stream);
    }, stream.arrival - Date.now());
  }

  #close(stream: Stream): void {
    if (stream.isOver) return;
    stream.isOver = true;
    this.#streams.delete(stream);
    stream.controller.error(new Error('cut'));
  }

  async #delay(signal: AbortSignal | null | undefined): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.#random.roll(60)));
    signal?.throwIfAborted();
  }

  #happens(probability: number): boolean {
    return !this.isCalm && this.#random.chance(probability);
  }
}

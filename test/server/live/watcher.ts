// A client of live rows that applies every event, and compares what it has with a GET of its own.
import { get } from 'node:http';
import { type EventClient, openEvents } from '../../support/event-client.ts';
import { until } from '../../support/until.ts';

export type Row = Readonly<Record<string, unknown>>;
interface Viewer {
  readonly role: string;
}

type Headers = Readonly<Record<string, string>>;

interface Target {
  readonly port: number;
  readonly path: string;
  readonly headers: Headers;
  readonly viewer: Viewer;
  /** Returns what the role of the watcher must not see in the rows of an event. */
  readonly findForeign: (rows: readonly Row[]) => readonly unknown[];
}

export class Watcher {
  /** What contradicts the protocol. */
  readonly faults: string[] = [];
  changes = 0;
  readonly #client: EventClient;
  readonly #target: Target;
  #rows: readonly Row[] | undefined;
  #lastId: string | undefined;

  private constructor(client: EventClient, target: Target) {
    this.#client = client;
    this.#target = target;
  }

  static async open(target: Target, more: Headers = {}): Promise<Watcher> {
    const { port, path, headers } = target;
    const client = await openEvents(port, path, { headers: { ...headers, ...more } });
    if (client.status !== 200) throw new Error(`${path}: ${client.status}`);
    return new Watcher(client, target);
  }

  /** Reconnects with the id of the last event, as browsers do, and keeps the rows. */
  async reopen(): Promise<Watcher> {
    this.#apply();
    const id = this.#lastId;
    this.close();
    const again = await Watcher.open(this.#target, id === undefined ? {} : { 'Last-Event-ID': id });
    again.#rows = this.#rows;
    again.#lastId = id;
    again.changes = this.changes;
    again.faults.push(...this.faults);
    return again;
  }

  async converges(): Promise<void> {
    const { path } = this.#target;
    let difference = '';
    await until(
      async () => {
        this.#apply();
        const [own, expected] = [sorted(this.#rows ?? []), sorted(await this.#read())];
        difference = `${path}: ${own} instead of ${expected}`;
        return own === expected;
      },
      { seconds: 30, why: () => difference },
    );
  }

  close(): void {
    this.#client.close();
  }

  /** Number of events that have not been applied. */
  get waiting(): number {
    return this.#client.events.length;
  }

  get path(): string {
    return this.#target.path;
  }

  get viewer(): Viewer {
    return this.#target.viewer;
  }

  /** Resolves when the server has ended the stream with an error. */
  async endsInError(): Promise<void> {
    await this.#client.ended();
    const last = this.#client.events.pop();
    if (last?.name !== 'error') this.faults.push(`${this.path} ended with ${last?.name}: ${last?.data}`);
    this.#client.end = undefined;
    this.#apply();
  }

  /** Opens a new stream, without what it has. */
  async startAgain(): Promise<Watcher> {
    const again = await Watcher.open(this.#target);
    again.changes = this.changes;
    again.faults.push(...this.faults);
    return again;
  }

  #apply(): void {
    const { events, end, text } = this.#client;
    if (end !== undefined) this.faults.push(`${this.path} has ended: ${text.slice(-300)}`);
    // A long run would otherwise keep every event.
    this.#client.text = '';
    for (const { name, data, id } of events.splice(0)) {
      this.#lastId = id ?? this.#lastId;
      if (name === 'reset') this.#rows = undefined;
      else if (name === 'rows') this.#rows = this.#seen(JSON.parse(data) as Row[]);
      else if (name === 'change') this.#change(JSON.parse(data) as { upsert: Row[]; delete: Row[] });
      else this.faults.push(`${name}: ${data}`);
      this.changes += 1;
    }
  }

  #seen(rows: readonly Row[]): readonly Row[] {
    const foreign = this.#target.findForeign(rows);
    if (foreign.length > 0) this.faults.push(`${this.path} shows ${JSON.stringify(foreign)}`);
    return rows;
  }

  #change({ upsert, delete: deleted }: { readonly upsert: readonly Row[]; readonly delete: readonly Row[] }): void {
    if (this.#rows === undefined) this.faults.push('a change before the rows');
    if (upsert.length + deleted.length === 0) this.faults.push('an empty change');
    const before = this.#rows ?? [];
    for (const key of deleted)
      if (!before.some((row) => hasKey(row, key)))
        this.faults.push(`deleted ${JSON.stringify(key)}, which was not sent`);
    const kept = before.filter((row) => ![...deleted, ...upsert.map(keyOf)].some((key) => hasKey(row, key)));
    this.#rows = [...kept, ...this.#seen(upsert)];
  }

  #read(): Promise<readonly Row[]> {
    const { port, path, headers } = this.#target;
    return new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve(JSON.parse(text) as Row[]));
      }).on('error', reject);
    });
  }
}

/** In the tests that use it, tables have the key `id`, or `id` and `day`. */
function keyOf({ id, day }: Row): Row {
  return day === undefined ? { id } : { id, day };
}

function hasKey(row: Row, key: Row): boolean {
  return Object.entries(key).every(([name, value]) => row[name] === value);
}

function sorted(rows: readonly Row[]): string {
  return rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join('\n');
}

// Clients that each write numbered rows and record the responses. Comparing the records with the table afterwards shows
// whether any response was wrong.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until.ts';
import type { Testbed } from './testbed.ts';

/** `unknown`: no response arrived, or one that says the outcome is unknown. */
type Verdict = 'written' | 'refused' | 'unknown';

interface Note {
  readonly id: number;
  readonly verdict: Verdict;
  /** For example `201`, `503 SVC001`, `ECONNRESET`. */
  readonly outcome: string;
}

/** Error codes of writes whose outcome is unknown. */
const UNKNOWN_CODES: ReadonlySet<string> = new Set(['SVC004']);

/** Milliseconds. */
const REFUSED_PAUSE = 50;

interface LoadOptions {
  readonly clients?: number;
  readonly firstId?: number;
}

export class LedgerLoad {
  readonly notes: Note[] = [];
  readonly #testbed: Testbed;
  readonly #agent: Agent;
  readonly #clients: readonly Promise<void>[];
  #nextId = 1;
  #isOver = false;

  constructor(testbed: Testbed, { clients = 8, firstId = 1 }: LoadOptions = {}) {
    this.#testbed = testbed;
    this.#nextId = firstId;
    this.#agent = new Agent({ keepAlive: true, maxSockets: clients });
    this.#clients = Array.from({ length: clients }, () => this.#run());
  }

  /** Number of responses by outcome. */
  get counts(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { outcome } of this.notes) counts[outcome] = (counts[outcome] ?? 0) + 1;
    return counts;
  }

  async writes(count: number): Promise<void> {
    const before = this.notes.length;
    const written = (): number => this.notes.slice(before).filter(({ verdict }) => verdict === 'written').length;
    await until(() => written() >= count, { why: () => `${count} more writes, but ${JSON.stringify(this.counts)}` });
  }

  async meets(outcome: RegExp): Promise<void> {
    const before = this.notes.length;
    await until(() => this.notes.slice(before).some((note) => outcome.test(note.outcome)), {
      why: () => `${outcome}, but ${JSON.stringify(this.counts)}`,
    });
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
    this.#agent.destroy();
  }

  /** Checks that the responses agree with the committed rows. @returns the notes that do not */
  async audit(): Promise<readonly Note[]> {
    await this.stop();
    const rows = await this.#testbed.query('select id::int from api.ledger');
    const stored = new Set(rows.map(([id]) => Number(id)));
    return this.notes.filter(
      ({ id, verdict }) => (verdict === 'written' && !stored.has(id)) || (verdict === 'refused' && stored.has(id)),
    );
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      const id = this.#nextId;
      this.#nextId += 1;
      const outcome = await this.#write(id);
      this.notes.push({ id, verdict: classify(outcome), outcome });
      // The proxy between server and database runs in this process, too, and needs time.
      if (outcome === 'ECONNREFUSED') await sleep(REFUSED_PAUSE);
    }
  }

  #write(id: number): Promise<string> {
    const body = `{"id":${id},"note":"written by a client"}`;
    return new Promise((resolve) => {
      const outgoing = request({
        agent: this.#agent,
        host: '127.0.0.1',
        port: this.#testbed.server.port,
        method: 'POST',
        path: '/ledger',
        headers: { 'Content-Type': 'application/json', 'Content-Length': body.length },
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        const isNew = error.code === 'ECONNRESET' && !outgoing.reusedSocket;
        resolve(`${error.code ?? error.message}${isNew ? ' on a new connection' : ''}`);
      });
      outgoing.on('response', (incoming) => {
        let text = '';
        incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
        incoming.on('error', () => resolve('cut'));
        incoming.on('end', () => resolve(describe(incoming.statusCode ?? 0, text)));
      });
      outgoing.end(body);
    });
  }
}

function describe(status: number, text: string): string {
  if (text === '') return String(status);
  const { code } = JSON.parse(text) as { readonly code?: string };
  return `${status} ${code}`;
}

function classify(outcome: string): Verdict {
  if (outcome === '201') return 'written';
  const [status = '', code = ''] = outcome.split(' ');
  // A client that could not connect has sent nothing; one whose connection broke may have.
  if (!/^\d+$/u.test(status)) return outcome === 'ECONNREFUSED' ? 'refused' : 'unknown';
  return UNKNOWN_CODES.has(code) ? 'unknown' : 'refused';
}

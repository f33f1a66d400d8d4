// Asks each database server many times a second whether it is the primary: so that it is known when a new one was up, whatever
// anybody else makes of it.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { DatabaseNode } from './database-node.ts';

/** Milliseconds. */
const INTERVAL = 40;
const LONGEST = 500;

interface Promotion {
  readonly node: DatabaseNode;
  /** Milliseconds of the monotonic clock. */
  readonly at: number;
}

export class LeaderWatch {
  readonly promotions: Promotion[] = [];
  readonly #primaries: Set<DatabaseNode> = new Set();
  readonly #watches: readonly Promise<void>[];
  #isOver = false;

  constructor(nodes: readonly DatabaseNode[]) {
    this.#watches = nodes.map((node) => this.#watch(node));
  }

  /** Those that say that they are it. */
  get primaries(): readonly DatabaseNode[] {
    return [...this.#primaries];
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#watches);
  }

  async #watch(node: DatabaseNode): Promise<void> {
    while (!this.#isOver) {
      await this.#follow(node).catch(() => undefined);
      this.#primaries.delete(node);
      await sleep(INTERVAL);
    }
  }

  /** Rejects when it does not answer any more. */
  async #follow(node: DatabaseNode): Promise<void> {
    const client = new Client({ connectionString: node.uri });
    client.on('error', () => undefined);
    try {
      await withinLimit(client.connect());
      while (!this.#isOver) {
        const text = 'select not pg_is_in_recovery() as is_primary';
        const { rows } = await withinLimit(client.query<{ readonly is_primary: boolean }>(text));
        this.#note(node, rows[0]?.is_primary === true);
        await sleep(INTERVAL);
      }
    } finally {
      // Not ended: there may be nobody at the other end.
      client.connection.stream.destroy();
    }
  }

  #note(node: DatabaseNode, isPrimary: boolean): void {
    if (!isPrimary) this.#primaries.delete(node);
    else if (!this.#primaries.has(node)) {
      this.#primaries.add(node);
      this.promotions.push({ node, at: performance.now() });
    }
  }
}

/** Whatever becomes of the connection. */
async function withinLimit<T>(work: Promise<T>): Promise<T> {
  const end = new AbortController();
  const limit = sleep(LONGEST, undefined, { signal: end.signal }).then(() => {
    throw new Error('no answer');
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    end.abort();
    work.catch(() => undefined);
    limit.catch(() => undefined);
  }
}

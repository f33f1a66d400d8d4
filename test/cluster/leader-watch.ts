// Asks each database server many times per second whether it is the primary, to record when a new primary is available,
// independently of all other components.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { DatabaseNode } from './database-node.ts';

/** In milliseconds. */
const INTERVAL = 40;
const LONGEST = 500;

interface Promotion {
  readonly node: DatabaseNode;
  /** Time on the monotonic clock in milliseconds. */
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

  /** The servers that report themselves as primary. */
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

  /** Rejects when the server no longer answers. */
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
      // Destroyed without a close handshake: the other end may be gone.
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

/** Limits the time of a query, whatever happens to the connection. */
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

// Finds the names that errors may reveal to a role. Queries the database once per role within a few seconds, and once
// for concurrent requests, so that many misspelled names cause few catalog queries.
import { decodeVisibleNames, NO_NAMES, type VisibleNames } from '../../catalog/visible-names.ts';
import { waitAtMost } from '../scheduling/waiting.ts';
import { runSlicesWithPauses } from '../../util/slices.ts';
import type { Pool } from '../../postgres/pool/pool.ts';
import { type RecentLimits, RecentMap } from '../../util/recent-map.ts';
import { renderVisibleNames } from '../../sql/render-visible-names.ts';

export interface VisibleNamesOptions {
  readonly pool: Pick<Pool, 'runScript'>;
  /** Exposed schemas. */
  readonly schemas: readonly string[];
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number;
  /** Milliseconds that an error response waits for the names. */
  readonly timeoutMs: number;
  /** Yields to other work. */
  readonly pause: () => Promise<unknown>;
}

/** Milliseconds that names are reused; revoked privileges take effect after this time. */
const VALIDITY_MS = 5000;
/** Number of roles to cache; in the largest schemas each takes about a megabyte. */
const MAX_ROLES = 16;

interface Lookup {
  readonly names: Promise<VisibleNames>;
  readonly startedAt: number;
  isPending: boolean;
}

const LIMITS: RecentLimits<Lookup> = { entries: MAX_ROLES, size: MAX_ROLES, sizeOf: () => 1 };

export class VisibleNamesFinder {
  readonly #options: VisibleNamesOptions;
  readonly #lookups: RecentMap<string, Lookup> = new RecentMap(LIMITS);

  constructor(options: VisibleNamesOptions) {
    this.#options = options;
  }

  /** Returns no names if the database does not answer in time. */
  readonly find = (role: string): Promise<VisibleNames> => {
    const now = this.#options.clock();
    const known = this.#lookups.get(role);
    if (known !== undefined && (known.isPending || now < known.startedAt + VALIDITY_MS)) return known.names;
    const names = this.#queryWithTimeout(role).finally(() => (lookup.isPending = false));
    const lookup = { names, startedAt: now, isPending: true };
    this.#lookups.set(role, lookup);
    return names;
  };

  async #queryWithTimeout(role: string): Promise<VisibleNames> {
    let names = NO_NAMES;
    const querying = this.#query(role).then((found) => (names = found));
    await waitAtMost(this.#options.timeoutMs, querying);
    return names;
  }

  async #query(role: string): Promise<VisibleNames> {
    const { pool, schemas, pause } = this.#options;
    const reply = await pool.runScript(renderVisibleNames(role, schemas));
    const names = reply.ok ? reply.value[0] : undefined;
    if (names?.kind !== 'lines') return NO_NAMES;
    return runSlicesWithPauses(decodeVisibleNames(names.lines), pause);
  }
}

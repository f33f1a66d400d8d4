// A role → what it may use, for errors to name. Asked of the database once in a while, and once for all who ask at the
// same time: a flood of misspelled names is none of catalog queries.
import { decodeVisibleNames, NO_NAMES, type VisibleNames } from '../../catalog/visible-names.ts';
import { runSlicesWithPauses } from '../../contract/slices.ts';
import type { Pool } from '../../postgres/pool.ts';
import { type RecentLimits, RecentMap } from '../../prepare/recent-map.ts';
import { renderVisibleNames } from '../../sql/render-visible-names.ts';
import { waitAtMost } from '../scheduling/wait-at-most.ts';

export interface VisibleNamesOptions {
  readonly pool: Pick<Pool, 'runScript'>;
  /** The exposed ones. */
  readonly schemas: readonly string[];
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number;
  /** Milliseconds that errors wait for an answer. */
  readonly timeoutMs: number;
  /** Lets other work have its turn. */
  readonly pause: () => Promise<unknown>;
}

/** Milliseconds for which an answer holds: so long may a name be told after its privileges were revoked. */
const VALIDITY_MS = 5000;
/** That are remembered at least; in the largest schemas each takes about a megabyte. */
const ROLES = 16;

interface Lookup {
  readonly names: Promise<VisibleNames>;
  readonly startedAt: number;
  isUnderWay: boolean;
}

const LIMITS: RecentLimits<Lookup> = { entries: ROLES, size: ROLES, sizeOf: () => 1 };

export class VisibleNamesFinder {
  readonly #options: VisibleNamesOptions;
  readonly #lookups: RecentMap<string, Lookup> = new RecentMap(LIMITS);

  constructor(options: VisibleNamesOptions) {
    this.#options = options;
  }

  /** No names at all where the database does not tell in time. */
  readonly find = (role: string): Promise<VisibleNames> => {
    const now = this.#options.clock();
    const known = this.#lookups.get(role);
    if (known !== undefined && (known.isUnderWay || now < known.startedAt + VALIDITY_MS)) return known.names;
    const names = this.#askWithTimeout(role).finally(() => (lookup.isUnderWay = false));
    const lookup = { names, startedAt: now, isUnderWay: true };
    this.#lookups.set(role, lookup);
    return names;
  };

  async #askWithTimeout(role: string): Promise<VisibleNames> {
    let names = NO_NAMES;
    const asking = this.#ask(role).then((found) => (names = found));
    await waitAtMost(this.#options.timeoutMs, asking);
    return names;
  }

  async #ask(role: string): Promise<VisibleNames> {
    const { pool, schemas, pause } = this.#options;
    const reply = await pool.runScript(renderVisibleNames(role, schemas));
    if (!reply.ok || reply.value.kind !== 'lines') return NO_NAMES;
    return runSlicesWithPauses(decodeVisibleNames(reply.value.lines), pause);
  }
}

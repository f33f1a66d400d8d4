// Routes scripts to the primary or a replica. Reads go to the least busy replica. A read with a position waits until a
// replica has reached it; a read that fails for a reason specific to the replica is retried elsewhere. Sits in front of
// the pools of all servers (`docs/decisions/replicas.md`).
import { hasReached, type LogPosition } from '../../contract/log-position.ts';
import { type ApiError, isConnectionFailure } from '../../errors/api-error.ts';
import { BEHIND_STATE, renderPositionCheck } from './position-statements.ts';
import type { Freshness, TransactionScript } from '../../sql/transaction-script.ts';
import type { CancelSignal } from '../../contract/cancel-signal.ts';
import type { ScriptTarget } from '../../serve/extension.ts';
import type { ScriptReply } from '../../postgres/session/script-reply.ts';
import type { Replica } from './replica.ts';

export interface RouterOptions {
  readonly primary: ScriptTarget;
  readonly replicas: readonly Replica[];
  /** Milliseconds that a read waits for a replica to reach its position. */
  readonly waitMs: number;
  /** Called while reads wait for replicas to advance. */
  readonly onWait: () => void;
}

interface Read {
  readonly script: TransactionScript;
  readonly freshness: Freshness;
  readonly signal: CancelSignal | undefined;
}

export class ReadRouter {
  readonly #options: RouterOptions;
  /** Each callback checks whether its position has been reached. */
  readonly #waiting: Set<() => void> = new Set();
  /** Start of the search, so that idle replicas take turns. */
  #turn = 0;
  #primaryReads = 0;

  constructor(options: RouterOptions) {
    this.#options = options;
  }

  /** Number of reads that ran on the primary although replicas could have served them. */
  get primaryReads(): number {
    return this.#primaryReads;
  }

  /** See `Pool.runScript`. */
  runScript(script: TransactionScript, signal?: CancelSignal): Promise<ScriptReply> {
    const { freshness } = script;
    if (freshness === undefined) return this.#options.primary.runScript(script, signal);
    return this.#runRead({ script, freshness, signal });
  }

  /** Call when the positions of replicas have changed. */
  noticePositions(): void {
    for (const check of this.#waiting) check();
    if (this.#waiting.size > 0) this.#options.onWait();
  }

  async #runRead(read: Read): Promise<ScriptReply> {
    const { script, freshness, signal } = read;
    const replica = freshness === 'any' ? this.#pick() : await this.#awaitPosition(freshness);
    if (replica === undefined) return this.#runOnPrimary(read);
    const checked = freshness === 'any' ? script : { ...script, precondition: renderPositionCheck(freshness) };
    const reply = await replica.run(checked, signal);
    if (!shouldRetry(reply, signal)) return reply;
    const other = isConnectionFailure(reply.error) ? this.#pickOther(replica, freshness) : undefined;
    const second = await other?.run(checked, signal);
    if (second !== undefined && !shouldRetry(second, signal)) return second;
    const last = await this.#runOnPrimary(read);
    const isUnreachable = !last.ok && isConnectionFailure(last.error);
    return isUnreachable && isQueryError(reply.error) ? reply : last;
  }

  /** The primary satisfies any position. */
  #runOnPrimary({ script, signal }: Read): Promise<ScriptReply> {
    this.#primaryReads += 1;
    return this.#options.primary.runScript(script, signal);
  }

  #pick(minimum?: LogPosition): Replica | undefined {
    const { replicas } = this.#options;
    this.#turn = (this.#turn + 1) % replicas.length;
    return pickReplica([...replicas.slice(this.#turn), ...replicas.slice(0, this.#turn)], minimum);
  }

  #pickOther(former: Replica, freshness: Freshness): Replica | undefined {
    const others = this.#options.replicas.filter((replica) => replica !== former);
    return pickReplica(others, freshness === 'any' ? undefined : freshness);
  }

  /** @returns undefined if no replica reaches the position in time */
  #awaitPosition(minimum: LogPosition): Promise<Replica | undefined> {
    const { replicas, waitMs, onWait } = this.#options;
    const first = this.#pick(minimum);
    const cannotSucceed = waitMs === 0 || !replicas.some((replica) => replica.isServing);
    if (first !== undefined || cannotSucceed) return Promise.resolve(first);
    return new Promise((resolve) => {
      const settle = (replica: Replica | undefined): void => {
        clearTimeout(timer);
        this.#waiting.delete(check);
        resolve(replica);
      };
      const check = (): void => {
        const replica = this.#pick(minimum);
        if (replica !== undefined) settle(replica);
      };
      const timer = setTimeout(() => settle(undefined), waitMs);
      this.#waiting.add(check);
      onWait();
    });
  }
}

function shouldRetry(
  reply: ScriptReply,
  signal: CancelSignal | undefined,
): reply is Extract<ScriptReply, { ok: false }> {
  return !reply.ok && signal?.aborted !== true && mayDifferElsewhere(reply.error);
}

interface Candidate {
  readonly load: number;
  readonly position: LogPosition | undefined;
}

/**
 * Decides which replica gets a read (`docs/decisions/replicas.md`). Returns the least busy eligible replica that is known to have reached the position;
 * the first of equals.
 *
 * @param minimum undefined accepts any position
 */
export function pickReplica<T extends Candidate>(candidates: readonly T[], minimum?: LogPosition): T | undefined {
  let best: T | undefined;
  for (const candidate of candidates) {
    const { load, position } = candidate;
    const isEligible = position !== undefined && (minimum === undefined || hasReached(position, minimum));
    if (isEligible && (best === undefined || load < best.load)) best = candidate;
  }
  return best;
}

/**
 * SQLSTATE classes and codes that a standby may raise although the primary would succeed: connection errors, features
 * and state that a standby lacks, recovery conflicts, and names and privileges that have not been replicated yet.
 * Excludes 57014, a timeout, which would occur elsewhere too.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const CLASSES: ReadonlySet<string> = new Set(['08', '0A', '25', '26', '3F', '40', '42', '53', '55', '58', 'XX']);
const STATES: ReadonlySet<string> = new Set(['22023', BEHIND_STATE, '57P01', '57P02', '57P03', '57P04', '57P05']);

/** Whether an error of a replica says nothing about the read. */
export function mayDifferElsewhere(error: ApiError): boolean {
  if (isConnectionFailure(error)) return true;
  if (error.kind !== 'database') return false;
  const { sqlstate } = error.report;
  return CLASSES.has(sqlstate.slice(0, 2)) || STATES.has(sqlstate);
}

/** Whether to report a replica's error if the primary is unreachable: a name or a privilege is missing. */
export function isQueryError(error: ApiError): boolean {
  return error.kind === 'database' && !isConnectionFailure(error) && /^(?:42|3F)/u.test(error.report.sqlstate);
}

// One replica: what is known of it, and the reads that run there. A server that does not answer any more loses its reads at
// once, so that they can be asked for elsewhere.
import { fail } from '../../contract/result.ts';
import type { LogPosition } from '../../contract/log-position.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import type { CancelSignal } from '../connect/cancel.ts';
import type { Pool, PoolStatistics } from '../pool/pool.ts';
import type { ScriptReply } from '../session/script-reply.ts';
import type { ScriptRunner } from '../pool/script-runner.ts';
import type { Assessment } from './assess-replica.ts';

export interface ReplicaParts {
  /** For logs and metrics: `replica.example.org:5432`. */
  readonly name: string;
  readonly pool: Pool;
  /** Over the pool. */
  readonly runner: ScriptRunner;
}

export interface ReplicaStatistics {
  readonly name: string;
  readonly isServing: boolean;
  /** Seconds; undefined while it is not known. */
  readonly lag: number | undefined;
  /** Reads since the start. */
  readonly reads: number;
  readonly pool: PoolStatistics;
}

export class Replica {
  readonly name: string;
  readonly #pool: Pool;
  readonly #runner: ScriptRunner;
  /** Undefined: nothing is known yet. */
  #assessment: Assessment | undefined;
  readonly #running: Set<(reply: ScriptReply) => void> = new Set();
  #readCount = 0;

  constructor({ name, pool, runner }: ReplicaParts) {
    this.name = name;
    this.#pool = pool;
    this.#runner = runner;
  }

  get isServing(): boolean {
    return this.#assessment?.kind === 'serving';
  }

  /** As last known; undefined while it serves no reads. */
  get position(): LogPosition | undefined {
    return this.#assessment?.kind === 'serving' ? this.#assessment.position : undefined;
  }

  /** Reads under way. */
  get load(): number {
    return this.#running.size;
  }

  /** Reads that wait for a turn of streams. */
  get waitingForTurn(): number {
    return this.#pool.waitingForTurn;
  }

  get statistics(): ReplicaStatistics {
    const assessment = this.#assessment;
    const lagMs = assessment === undefined || assessment.kind === 'unreachable' ? undefined : assessment.lagMs;
    return {
      name: this.name,
      isServing: this.isServing,
      lag: lagMs === undefined ? undefined : lagMs / 1000,
      reads: this.#readCount,
      pool: this.#runner.statistics,
    };
  }

  /** @returns whether it is to be told: the replica serves now, or no longer, or this is the first that is known of it */
  apply(assessment: Assessment): boolean {
    const hasChanged = this.#assessment === undefined || this.isServing !== (assessment.kind === 'serving');
    this.#assessment = assessment;
    if (assessment.kind === 'unreachable' && hasChanged) this.#abandon(assessment.reason);
    return hasChanged;
  }

  /** Errors: those of the pool; `connectionLost` when the replica is found not to answer any more. */
  run(script: TransactionScript, signal: CancelSignal | undefined): Promise<ScriptReply> {
    this.#readCount += 1;
    return new Promise((resolve, reject) => {
      const settle = (reply: ScriptReply): void => {
        this.#running.delete(settle);
        resolve(reply);
      };
      this.#running.add(settle);
      this.#runner.runScript(script, signal).then(settle, (error: unknown) => {
        this.#running.delete(settle);
        reject(error);
      });
    });
  }

  flush(): void {
    this.#pool.flush();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #abandon(details: string): void {
    this.#pool.flush();
    for (const settle of this.#running) settle(fail({ kind: 'connectionLost', details }));
  }
}

// One replica: its state and the reads that run there. If it stops answering, its reads fail immediately, so that they
// can be retried elsewhere.
import { fail } from '../../contract/result.ts';
import type { LogPosition } from '../../contract/log-position.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import type { CancelSignal } from '../../contract/cancel-signal.ts';
import type { PoolStatistics } from '../../postgres/pool/pool.ts';
import type { ScriptReply } from '../../postgres/session/script-reply.ts';
import type { ServerConnections } from '../../serve/extension.ts';
import type { Assessment } from './assess-replica.ts';

export interface ReplicaParts {
  /** Name for logs and metrics, such as `replica.example.org:5432`. */
  readonly name: string;
  readonly server: ServerConnections;
}

export interface ReplicaStatistics {
  readonly name: string;
  readonly isServing: boolean;
  /** Seconds; undefined while unknown. */
  readonly lag: number | undefined;
  /** Number of reads since startup. */
  readonly reads: number;
  readonly pool: PoolStatistics;
}

export class Replica {
  readonly name: string;
  readonly #server: ServerConnections;
  /** Undefined while nothing is known. */
  #assessment: Assessment | undefined;
  readonly #running: Set<(reply: ScriptReply) => void> = new Set();
  #readCount = 0;

  constructor({ name, server }: ReplicaParts) {
    this.name = name;
    this.#server = server;
  }

  get isServing(): boolean {
    return this.#assessment?.kind === 'serving';
  }

  /** Last known position; undefined while the replica serves no reads. */
  get position(): LogPosition | undefined {
    return this.#assessment?.kind === 'serving' ? this.#assessment.position : undefined;
  }

  /** Number of reads in flight. */
  get load(): number {
    return this.#running.size;
  }

  /** Number of reads that wait for a stream permit. */
  get waitingForPermit(): number {
    return this.#server.statistics.waitingForPermit;
  }

  get statistics(): ReplicaStatistics {
    const assessment = this.#assessment;
    const lagMs = assessment === undefined || assessment.kind === 'unreachable' ? undefined : assessment.lagMs;
    return {
      name: this.name,
      isServing: this.isServing,
      lag: lagMs === undefined ? undefined : lagMs / 1000,
      reads: this.#readCount,
      pool: this.#server.statistics,
    };
  }

  /** @returns whether to report a change: the replica starts or stops serving, or this is its first assessment */
  apply(assessment: Assessment): boolean {
    const hasChanged = this.#assessment === undefined || this.isServing !== (assessment.kind === 'serving');
    this.#assessment = assessment;
    if (assessment.kind === 'unreachable' && hasChanged) {
      this.#server.flush();
      for (const settle of this.#running) settle(fail({ kind: 'connectionLost', details: assessment.reason }));
    }
    return hasChanged;
  }

  /** Errors: those of the pool, and `connectionLost` if the replica stops answering. */
  run(script: TransactionScript, signal: CancelSignal | undefined): Promise<ScriptReply> {
    this.#readCount += 1;
    return new Promise((resolve, reject) => {
      const settle = (reply: ScriptReply): void => {
        this.#running.delete(settle);
        resolve(reply);
      };
      this.#running.add(settle);
      this.#server.runScript(script, signal).then(settle, (error: unknown) => {
        this.#running.delete(settle);
        reject(error);
      });
    });
  }

  flush(): void {
    this.#server.flush();
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}

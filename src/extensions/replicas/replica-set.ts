// The replicas of one primary: probes them, reports when one becomes or ceases to be eligible, and routes scripts.
import type { Result } from '../../contract/result.ts';
import { parseLsn } from '../../contract/log-position.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import type { CancelSignal } from '../../contract/cancel-signal.ts';
import type { ScriptTarget } from '../../serve/extension.ts';
import type { ScriptReply } from '../../postgres/session/script-reply.ts';
import type { Session } from '../../postgres/session/session.ts';
import { assessReplica, PRIMARY_STATE, REPLICA_STATE } from './assess-replica.ts';
import { PositionHistory } from './position-history.ts';
import { ReadRouter } from './read-router.ts';
import { Replica, type ReplicaParts, type ReplicaStatistics } from './replica.ts';
import { type ProbeAnswer, type ProbeOptions, PROBE_TIMES, type ProbeTimes, ServerProbe } from './server-probe.ts';

type Connect = () => Promise<Result<Session, ApiError>>;

export interface ReplicaSetOptions {
  readonly primary: ScriptTarget;
  /** Opens a connection to the primary for probes. */
  readonly connect: Connect;
  readonly replicas: readonly (ReplicaParts & { readonly connect: Connect })[];
  readonly maxLagMs: number;
  /** Milliseconds that a read waits for a replica to reach its position. */
  readonly waitMs: number;
  /** @param reason why the replica gets no reads; undefined if it gets reads */
  readonly onChange: (name: string, reason: string | undefined) => void;
  /** Defaults to `PROBE_TIMES`. */
  readonly times?: ProbeTimes;
}

export interface ReplicaSetStatistics {
  /** Number of reads since startup that ran on the primary although replicas could have served them. */
  readonly primaryReads: number;
  readonly replicas: readonly ReplicaStatistics[];
}

interface WatchedReplica {
  readonly replica: Replica;
  readonly probe: ServerProbe;
}

export class ReplicaSet implements ScriptTarget {
  readonly #options: ReplicaSetOptions;
  readonly #replicas: readonly WatchedReplica[];
  readonly #primaryProbe: ServerProbe;
  readonly #history: PositionHistory;
  readonly #router: ReadRouter;

  constructor(options: ReplicaSetOptions) {
    const { primary, connect, replicas, maxLagMs, waitMs, times = PROBE_TIMES } = options;
    this.#options = options;
    this.#history = new PositionHistory(maxLagMs);
    this.#replicas = replicas.map((parts) => this.#watch(new Replica(parts), { ...parts, times }));
    const onAnswer = (answer: ProbeAnswer): void => this.#notePrimary(answer);
    this.#primaryProbe = new ServerProbe({ connect, statement: PRIMARY_STATE, times, onAnswer });
    const onWait = (): void => this.#probeNow();
    this.#router = new ReadRouter({ primary, replicas: this.#replicas.map(({ replica }) => replica), waitMs, onWait });
  }

  /** Number of requests that wait for a stream permit of a replica. */
  get waitingForPermit(): number {
    return this.#replicas.reduce((sum, { replica }) => sum + replica.waitingForPermit, 0);
  }

  get replicaStatistics(): ReplicaSetStatistics {
    const { primaryReads } = this.#router;
    return { primaryReads, replicas: this.#replicas.map(({ replica }) => replica.statistics) };
  }

  /** See `Pool.runScript`. */
  runScript(script: TransactionScript, signal?: CancelSignal): Promise<ScriptReply> {
    return this.#router.runScript(script, signal);
  }

  start(): void {
    this.#primaryProbe.start();
    for (const { probe } of this.#replicas) probe.start();
  }

  /** Flushes the pools of the replicas. */
  flush(): void {
    for (const { replica } of this.#replicas) replica.flush();
  }

  /** Closes the probes and pools of the replicas. */
  async close(): Promise<void> {
    const closing = this.#replicas.flatMap(({ replica, probe }) => [probe.stop(), replica.close()]);
    await Promise.all([this.#primaryProbe.stop(), ...closing]);
  }

  #watch(replica: Replica, { connect, times }: Pick<ProbeOptions, 'connect' | 'times'>): WatchedReplica {
    const onAnswer = (answer: ProbeAnswer): void => this.#assess(replica, answer);
    return { replica, probe: new ServerProbe({ connect, statement: REPLICA_STATE, times, onAnswer }) };
  }

  #probeNow(): void {
    for (const { replica, probe } of this.#replicas) if (replica.isServing) probe.probeNow();
  }

  #notePrimary(answer: ProbeAnswer): void {
    const lsn = answer.ok ? parseLsn(answer.value[0] ?? '') : undefined;
    // While the primary is unreachable, nothing is newer than the replicas.
    if (lsn !== undefined) this.#history.note(lsn, performance.now());
  }

  #assess(replica: Replica, answer: ProbeAnswer): void {
    const { maxLagMs, onChange } = this.#options;
    const { isServing } = replica;
    const now = performance.now();
    const assessment = assessReplica(answer, { history: this.#history, now, maxLagMs, isServing });
    if (assessment === undefined) return;
    const hasChanged = replica.apply(assessment);
    if (hasChanged) onChange(replica.name, assessment.kind === 'serving' ? undefined : assessment.reason);
    this.#router.noticePositions();
  }
}

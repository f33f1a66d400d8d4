// Probes one server at intervals on a dedicated connection. Reports each answer, or why there is none: immediately if
// the connection is lost, otherwise after a timeout.
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { query, type TextRow } from '../../postgres/session/query.ts';
import type { Session } from '../../postgres/session/session.ts';

export interface ProbeOptions {
  readonly connect: () => Promise<Result<Session, ApiError>>;
  /** A statement that returns one row. */
  readonly statement: string;
  readonly times: ProbeTimes;
  readonly onAnswer: (answer: ProbeAnswer) => void;
}

/** The error is a single line for the operator. */
export type ProbeAnswer = Result<TextRow, string>;

/** Milliseconds. */
export interface ProbeTimes {
  readonly interval: number;
  /** Interval while reads wait for replicas to advance. */
  readonly urgentInterval: number;
  readonly timeout: number;
}

/** Excludes an unresponsive server within a second: up to 250 ms until the next probe, 500 ms until it times out. */
export const PROBE_TIMES: ProbeTimes = { interval: 250, urgentInterval: 5, timeout: 500 };

const NO_ANSWER = 'it does not answer';

export class ServerProbe {
  readonly #options: ProbeOptions;
  #session: Session | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isAsking = false;
  #isUrgent = false;
  #isStopped = false;

  constructor(options: ProbeOptions) {
    this.#options = options;
  }

  start(): void {
    void this.#ask();
  }

  /** Schedules the next probe soon. */
  probeNow(): void {
    if (this.#isUrgent || this.#isStopped) return;
    this.#isUrgent = true;
    if (!this.#isAsking) this.#schedule();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#session?.close();
  }

  #schedule(): void {
    const { interval, urgentInterval } = this.#options.times;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), this.#isUrgent ? urgentInterval : interval);
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    this.#isUrgent = false;
    const answer = await this.#findAnswer();
    this.#isAsking = false;
    if (this.#isStopped) return void this.#session?.close();
    this.#schedule();
    this.#options.onAnswer(answer);
  }

  async #findAnswer(): Promise<ProbeAnswer> {
    const session = this.#session ?? (await this.#open());
    if (typeof session === 'string') return fail(session);
    const { statement, times } = this.#options;
    let ending: NodeJS.Immediate | undefined;
    // If this process was busy, an answer that has already arrived is read before the end of the turn.
    const timer = setTimeout(() => (ending = setImmediate(() => session.destroy(NO_ANSWER))), times.timeout);
    const reply = await query(session, statement);
    clearTimeout(timer);
    clearImmediate(ending);
    if (!reply.ok) return fail(describe(reply.error));
    const [row] = reply.value;
    return row === undefined ? fail('it returned no row') : ok(row);
  }

  /** @returns the session, or the reason for having none */
  async #open(): Promise<Session | string> {
    const opened = await this.#options.connect();
    if (!opened.ok) return describe(opened.error);
    const session = opened.value;
    if (session.loss !== undefined) return session.loss;
    session.onLoss = (details) => this.#lose(details);
    this.#session = session;
    return session;
  }

  /** Reports the loss, unless a probe is in flight, whose failure reports it. */
  #lose(details: string): void {
    this.#session = undefined;
    if (!this.#isAsking && !this.#isStopped) this.#options.onAnswer(fail(details));
  }
}

function describe(error: ApiError): string {
  if (error.kind === 'database') return error.report.message;
  const details = 'details' in error ? error.details : undefined;
  return typeof details === 'string' ? details : error.kind;
}

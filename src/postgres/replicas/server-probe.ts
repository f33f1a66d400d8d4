// Asks one server the same question at intervals, on a connection of its own, and tells every answer, or why there is none:
// at once where the connection is lost, and after a time limit where nothing comes.
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { query, type TextRow } from '../session/query.ts';
import type { Session } from '../session/session.ts';

export interface ProbeOptions {
  readonly connect: () => Promise<Result<Session, ApiError>>;
  /** Answers with one row. */
  readonly statement: string;
  readonly times: ProbeTimes;
  readonly onAnswer: (answer: ProbeAnswer) => void;
}

/** The error is one line for the operator. */
export type ProbeAnswer = Result<TextRow, string>;

/** Milliseconds. */
export interface ProbeTimes {
  readonly interval: number;
  /** While somebody waits for news. */
  readonly hurried: number;
  readonly timeout: number;
}

/** A server that is left out within a second: 250 ms until it is asked, 500 ms until it has not answered. */
export const PROBE_TIMES: ProbeTimes = { interval: 250, hurried: 5, timeout: 500 };

const NO_ANSWER = 'it does not answer';

export class ServerProbe {
  readonly #options: ProbeOptions;
  #session: Session | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isAsking = false;
  #isHurried = false;
  #isStopped = false;

  constructor(options: ProbeOptions) {
    this.#options = options;
  }

  start(): void {
    void this.#ask();
  }

  /** The next answer is wanted soon. */
  probeNow(): void {
    if (this.#isHurried || this.#isStopped) return;
    this.#isHurried = true;
    if (!this.#isAsking) this.#schedule();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#session?.close();
  }

  #schedule(): void {
    const { interval, hurried } = this.#options.times;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), this.#isHurried ? hurried : interval);
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    this.#isHurried = false;
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
    // What has arrived while this process was busy is read before the turn ends.
    const timer = setTimeout(() => (ending = setImmediate(() => session.destroy(NO_ANSWER))), times.timeout);
    const reply = await query(session, statement);
    clearTimeout(timer);
    clearImmediate(ending);
    if (!reply.ok) return fail(describe(reply.error));
    const [row] = reply.value;
    return row === undefined ? fail('it answers with nothing') : ok(row);
  }

  /** @returns the reason where there is no session */
  async #open(): Promise<Session | string> {
    const opened = await this.#options.connect();
    if (!opened.ok) return describe(opened.error);
    const session = opened.value;
    if (session.loss !== undefined) return session.loss;
    session.onLoss = (details) => this.#lose(details);
    this.#session = session;
    return session;
  }

  /** While an answer is awaited, it is the answer. */
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

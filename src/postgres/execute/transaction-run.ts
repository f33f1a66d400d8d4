// Runs one transaction script on one connection: sends it in one round trip, processes the answers step by step, and
// ends the transaction. Reports the result after the last ReadyForQuery, because deferred constraints can fail that late.
//
// | phase       | statements succeed               | error                     | connection lost            |
// |-------------|----------------------------------|---------------------------|----------------------------|
// | open        | next part, or verify → ending    | → rollingBack             | connectionLost             |
// | ending      | → over (COMMIT: → committed)     | retry, → cleaning, → over | write: commitStatusUnknown |
// | committed   | → over                           | session is not reused     | → over, as a success       |
// | rollingBack | retry, → cleaning, → over        | session is not reused     | the first error            |
// | cleaning    | → over                           | session is not reused     | the first error            |
//
// If no decision is needed before the end, as for a plain read, the run starts in `ending`: everything has been sent,
// including the Sync. "retry, → cleaning, → over" means the first that applies. An error in `ending` that leaves a
// transaction block open leads to rollingBack first. `over` is final.
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ScriptResults } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { RowBatch } from '../../request/payload/row-batch.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import { isCommitStatusUnknown, ROLLED_BACK, toDatabaseError } from '../session/connection-fault.ts';
import type { Exchange } from '../session/exchange.ts';
import type { ScriptReply } from '../session/script-reply.ts';
import type { Session } from '../session/session.ts';
import type { ServerMessage } from '../wire/decoder.ts';
import { encodeMessages } from '../wire/encoder.ts';
import * as message from '../wire/message-type.ts';
import { readCommandTag, type ServerError } from '../wire/read-message.ts';
import { RowFeed, isArriving } from './row-feed.ts';
import type { Lease } from './lease.ts';
import { type FailedStep, findRetryKind, type RetryKind } from './retry-kind.ts';
import { type ReadingHost, ScriptReading } from './script-reading.ts';
import * as steps from './script-steps.ts';

/** See the table above. */
type Phase = 'open' | 'ending' | 'committed' | 'rollingBack' | 'cleaning' | 'over';

export interface RunListener {
  /** Called if the response starts before the transaction is over. */
  onAnswer(run: TransactionRun, reply: ScriptReply): void;
  /**
   * Called once when the run no longer uses the session. Passes the whole result, even if the response started before.
   */
  onOver(run: TransactionRun, reply: ScriptReply): void;
}

/** Steps that belong to the request of their segment. */
const REQUEST_STEPS: ReadonlySet<steps.StepRole> = new Set([
  'settings',
  'preRequest',
  'roleCheck',
  'main',
  'plannedCount',
]);
const NOTHING: readonly string[] = [];

export class TransactionRun implements Exchange, ReadingHost {
  readonly lease: Lease;
  readonly #session: Session;
  readonly #listener: RunListener;
  /** The script, and the part of it that was sent last. A repetition starts with the first part. */
  #first: TransactionScript;
  #script: TransactionScript;
  /** The rows that arrive while they are inserted. It keeps its place when the script starts again. */
  #feed: RowFeed | undefined;
  #reading: ScriptReading;
  #phase: Phase = 'open';
  /** The statements of the current round trip, and the one whose answer is arriving. */
  #steps: readonly steps.ScriptStep[] = [];
  #position = 0;
  #isParsed = false;
  #isBound = false;
  #failure: ApiError | undefined;
  #retryKind: RetryKind | undefined;
  /** Whether the run was retried, except for another role. */
  #isRetry = false;
  /** Whether a write has been sent whose COMMIT may take effect even if no answer arrives. */
  #mayBeCommitted = false;
  /** Generation of the session's statement cache when the script was sent. */
  #generation: number | undefined;

  constructor(lease: Lease, script: TransactionScript, listener: RunListener) {
    this.lease = lease;
    this.#session = lease.session;
    this.#listener = listener;
    const chosen = lease.pool.fallbacks.choose(script);
    this.#first = lease.pool.guard?.guard(chosen) ?? chosen;
    this.#script = this.#first;
    if (script.arriving !== undefined) this.#openFeed();
    this.#reading = new ScriptReading(this.#script, this);
  }

  /** The batch of rows that the database rejected, if any. */
  get refusedBatch(): RowBatch | undefined {
    return this.#feed?.refused;
  }

  start(): void {
    this.#generation = this.#session.statements?.generation;
    const built = steps.buildSteps(this.#script, this.#planState, this.lease.pool.bounds);
    if (steps.isHeldOpen(this.#script)) this.#send(built, 'open');
    else this.#sendEnd(built);
    this.#feed?.readAhead();
  }

  receive(received: ServerMessage): void {
    if (received.type === message.READY_FOR_QUERY)
      return this.#becomeReady(received.bytes[received.start] === this.lease.pool.bounds.idleStatus);
    const step = this.#steps[this.#position];
    if (step === undefined) return this.#session.destroy('the database server sent an unexpected response');
    switch (received.type) {
      case message.PARSE_COMPLETE:
        this.#isParsed = true;
        return;
      case message.BIND_COMPLETE:
        this.#isBound = true;
        return;
      case message.ROW_DESCRIPTION:
        if (!this.#reading.nameColumns(step, received)) this.refuseRow();
        return;
      case message.DATA_ROW:
        if (!this.#reading.addRow(step, received)) this.refuseRow();
        return;
      case message.COMMAND_COMPLETE:
        return this.#complete(step, received);
      case message.EMPTY_QUERY:
        return this.#moveTo(this.#position + 1);
    }
  }

  refuse(error: ServerError): void {
    const step = this.#steps[this.#position];
    if (step?.role === 'cleanup' || this.#phase === 'committed') return this.#session.taint();
    this.#mayBeCommitted &&= isCommitStatusUnknown(error);
    if (this.#failure !== undefined) return;
    const isOpen = this.#phase === 'open';
    const context = {
      isPreparing: step?.preparing !== undefined && !this.#isParsed,
      // While the transaction stays open after the send, nothing runs after the last step.
      isInternal: step === undefined ? isOpen : step.role === 'begin',
    };
    if (this.#script.arriving !== undefined) this.#feed?.noteRefusal(step);
    this.#failure = this.#nameRequest(step, toDatabaseError(error, context));
    this.#retryKind = findRetryKind(error.report, this.#describeFailure(step, error), this.#script.access);
  }

  lose(details: string): void {
    if (this.#phase === 'committed') this.#finish(undefined);
    else if (this.#mayBeCommitted) this.#finish({ kind: 'commitStatusUnknown', details });
    else this.#finish(this.#failure ?? { kind: 'connectionLost', details });
  }

  provideBuffer(remaining: number): Buffer | undefined {
    return this.#reading.provideBuffer(this.#steps[this.#position], remaining);
  }

  receiveLong(type: number, size: number): ((piece: Buffer) => void) | undefined {
    return type === message.DATA_ROW ? this.#reading.takeLong(this.#steps[this.#position], size) : undefined;
  }

  refuseRow(): void {
    this.#session.destroy('the database server sent a malformed row');
  }

  overflow(error: ApiError): void {
    this.#failure ??= error;
    if (!this.#session.isShared) this.lease.stop();
  }

  answer(reply: ScriptReply): void {
    this.#listener.onAnswer(this, reply);
  }

  noteEstimate(plan: string): void {
    this.#feed?.noteEstimate(plan);
  }

  /** A retry uses no names: another script of the same send may have failed to prepare them. */
  get #planState(): steps.PlanState {
    const session = this.#session;
    if (!this.#isRetry) return session;
    return { statements: undefined, isDiscardingPlans: session.isDiscardingPlans, planRole: session.planRole };
  }

  /** A name counts as prepared once its Parse is sent, and is withdrawn if an error caused it to be skipped. */
  #send(built: readonly steps.ScriptStep[], phase: Phase): void {
    const { statements } = this.#session;
    this.#phase = phase;
    this.#steps = built;
    this.#moveTo(0);
    const messages = encodeMessages(statements?.takeClosing() ?? NOTHING, built);
    for (const { preparing, name } of built) {
      if (preparing !== undefined) statements?.add(preparing.scope, preparing.text, name);
    }
    this.#session.send(messages, this);
  }

  /** Sends the steps that end the transaction; the Sync alone may commit it. */
  #sendEnd(built: readonly steps.ScriptStep[]): void {
    const { access, end } = this.#script;
    this.#mayBeCommitted = this.#session.loss === undefined && access === 'read write' && end === 'commit';
    this.#send(built, 'ending');
  }

  #moveTo(position: number): void {
    this.#position = position;
    this.#isParsed = false;
    this.#isBound = false;
  }

  #complete(step: steps.ScriptStep, received: ServerMessage): void {
    if (step.role === 'settings') this.#noteRole();
    else if (step.role === 'commit') {
      this.#mayBeCommitted = false;
      if (readCommandTag(received) === this.lease.pool.bounds.commitTag && this.#failure === undefined)
        this.#phase = 'committed';
      else this.#failure ??= ROLLED_BACK;
    } else this.#reading.complete(step, received);
    if (this.#script.arriving !== undefined) this.#feed?.noteComplete(step);
    this.#moveTo(this.#position + 1);
  }

  /** The settings are in force: from now on, plans are made for the script's role. */
  #noteRole(): void {
    const statements = this.#isRetry ? undefined : this.#session.statements;
    const isUncertain = steps.leavesRoleUncertain(this.#script, statements);
    this.#session.planRole = isUncertain ? undefined : this.#script.role;
  }

  #becomeReady(isIdle: boolean): void {
    const session = this.#session;
    this.#mayBeCommitted = false;
    if (this.#position < this.#steps.length) {
      // The server has skipped the statements after an error.
      const first = this.#isParsed ? this.#position + 1 : this.#position;
      for (const { preparing, name } of this.#steps.slice(first)) {
        if (preparing !== undefined) this.#session.statements?.withdraw(preparing.scope, preparing.text, name);
      }
    }
    if (this.#phase === 'open' && this.#failure === undefined) return this.#checkOutcome();
    if (!isIdle && this.#phase !== 'rollingBack') {
      this.#failure ??= ROLLED_BACK;
      return this.#rollBack();
    }
    if (!isIdle) session.taint();
    else if (this.#retryKind !== undefined && this.#mayRetry(this.#retryKind)) return this.#retry(this.#retryKind);
    else if (this.lease.pool.bounds.cleanups[this.#script.leftovers].length > 0 && this.#mustClean)
      return this.#clean();
    const other = this.#failure === undefined ? this.#reading.replaceScript(this.lease.pool.fallbacks) : undefined;
    if (other !== undefined) return this.#startAgain(other);
    session.endExchange();
    this.#finish(this.#failure);
  }

  /** The results of the main statements decide what is sent next. */
  #checkOutcome(): void {
    const results = this.#reading.read();
    if (lacksRows(this.#script, results) && this.#mayRetry('missingRows')) this.#retryKind = 'missingRows';
    if (this.#retryKind !== undefined) return this.#rollBack();
    const mayContinue = this.#script.arriving !== undefined || this.#script.continue !== undefined;
    if (!results.ok || !mayContinue) return this.#conclude(results);
    this.#continue(results).catch((error: unknown) => this.#session.destroy(String(error)));
  }

  /** Sends the batches of rows that have arrived in the meantime, or the next part of the script. */
  async #continue(soFar: Extract<ScriptReply, { ok: true }>): Promise<void> {
    const sent = this.#script;
    const next = await this.#proceed(soFar.value);
    // The loss of the connection has already been reported.
    if (this.#session.loss !== undefined) return;
    if (!next.ok) return this.#conclude(next);
    if (next.value.length === 0) return this.#conclude(soFar);
    if (this.#script !== sent) this.#reading = new ScriptReading(this.#script, this, this.#reading);
    if (steps.isHeldOpen(this.#script)) this.#send(next.value, 'open');
    else this.#sendEnd(next.value);
    this.#feed?.readAhead();
  }

  /** Returns the steps to send next: the batches that have arrived, or the next part; none: the transaction ends. */
  async #proceed(results: ScriptResults): Promise<Result<readonly steps.ScriptStep[], ApiError>> {
    if (this.#script.arriving !== undefined && this.#feed !== undefined)
      return this.#feed.proceed(this.#planState.statements);
    const next = await continueSafely(this.#script, results);
    if (!next.ok) return next;
    if (next.value === undefined) return ok([]);
    this.#script = next.value;
    this.#openFeed();
    return ok(steps.buildPart(this.#script, this.#planState, this.lease.pool.bounds));
  }

  #openFeed(): void {
    if (isArriving(this.#script)) this.#feed ??= new RowFeed(this.#script, this.lease.pool.guard);
  }

  /** Sends the end of the transaction: commits if the results pass verification, otherwise rolls back. */
  #conclude(results: ScriptReply): void {
    this.#failure = results.ok ? verifyResults(this.#script, results.value) : results.error;
    if (this.#failure === undefined) this.#sendEnd(steps.buildEnding(this.#script, this.#ending));
    else this.#rollBack();
  }

  #rollBack(): void {
    this.#send(steps.buildRollback(this.lease.pool.bounds), 'rollingBack');
  }

  get #ending(): steps.Ending {
    return { statements: this.#session.statements, bounds: this.lease.pool.bounds };
  }

  /** A failed script may have changed session state without reaching its cleanup. */
  get #mustClean(): boolean {
    const hasCleaned = this.#position >= this.#steps.length && this.#steps.at(-1)?.role === 'cleanup';
    return !hasCleaned && this.#session.isUsable;
  }

  /** Runs after scripts sent in the same round trip. A rollback leaves only locks, which do not affect them. */
  #clean(): void {
    this.#session.endExchange();
    this.#send(steps.buildCleanup(this.#script, this.#ending), 'cleaning');
  }

  /** A result that was delivered cannot be delivered again, and rows that were not kept cannot be sent again. */
  #mayRetry(retryKind: RetryKind): boolean {
    if (retryKind === 'otherRole') return true;
    return !this.#isRetry && this.#reading.delivered === undefined && this.#feed?.isAtFirst !== false;
  }

  /** No main statement of a write has begun, or it has been rolled back to be repeated as its plan says. */
  #retry(retryKind: RetryKind): void {
    const { statements } = this.#session;
    if (retryKind === 'otherRole') {
      if (statements !== undefined) statements.isRoleUncertain = true;
      this.#session.planRole = undefined;
    } else {
      this.#isRetry = true;
      // Another script of the same send may have cleared the cache already.
      if (retryKind === 'staleStatement' && statements?.generation === this.#generation) statements?.clear();
    }
    this.#startAgain(this.#first);
  }

  /** Starts again, after scripts sent in the same round trip. */
  #startAgain(script: TransactionScript): void {
    this.#reading.abandon();
    this.#first = script;
    this.#script = script;
    this.#reading = new ScriptReading(script, this);
    this.#failure = undefined;
    this.#retryKind = undefined;
    this.#session.endExchange();
    this.start();
  }

  #finish(failure: ApiError | undefined): void {
    if (this.#phase === 'over') return;
    const reply = this.#reading.end(failure);
    this.#phase = 'over';
    this.#listener.onOver(this, reply);
  }

  /** Adds the index of the request in its batch if a statement of that request failed. */
  #nameRequest(step: steps.ScriptStep | undefined, error: ApiError): ApiError {
    if (error.kind !== 'database' || step === undefined || !REQUEST_STEPS.has(step.role)) return error;
    const request = this.#script.segments[step.segment]?.request;
    return request === undefined ? error : { ...error, request };
  }

  #describeFailure(step: steps.ScriptStep | undefined, { isFromFunction }: ServerError): FailedStep {
    const isAtFirst = this.#script === this.#first && this.#feed?.isAtFirst !== false;
    const hasMainRunEarlier = steps.isHeldOpen(this.#script) && !(this.#phase === 'open' && isAtFirst);
    const isMainCurrent = this.#isBound && step?.role === 'main';
    const isMainDone = this.#steps.slice(0, this.#position).some(({ role }) => role === 'main');
    return {
      step,
      isBound: this.#isBound,
      hasMainBegun: hasMainRunEarlier || isMainCurrent || isMainDone,
      isFromFunction,
    };
  }
}

/** An exception fails only its own request: the transaction is rolled back, and the connection is kept. */
async function continueSafely(
  script: TransactionScript,
  results: ScriptResults,
): Promise<Result<TransactionScript | undefined, ApiError>> {
  try {
    return (await script.continue?.(results)) ?? ok(undefined);
  } catch (error) {
    return fail({ kind: 'undecodableResult', details: `The transaction could not continue: ${String(error)}` });
  }
}

/** Returns the first error that prevents the commit, or undefined. */
function verifyResults({ segments }: TransactionScript, results: ScriptResults): ApiError | undefined {
  for (const [index, { verify }] of segments.entries()) {
    const result = results[index];
    const error = result?.kind === 'outcome' ? verify?.(result.outcome) : undefined;
    if (error !== undefined) return error;
  }
  return undefined;
}

/**
 * Returns whether rows are missing that a repetition may find. At higher levels of isolation, PostgreSQL fails instead,
 * because a later statement would not find them either.
 */
function lacksRows({ segments, isolation = 'read committed' }: TransactionScript, reply: ScriptReply): boolean {
  if (!reply.ok || isolation !== 'read committed') return false;
  return segments.some(({ isIncomplete }, index) => {
    const result = reply.value[index];
    return result?.kind === 'outcome' && isIncomplete?.(result.outcome) === true;
  });
}

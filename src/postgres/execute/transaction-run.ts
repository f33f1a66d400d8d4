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
import type { ApiError } from '../../errors/api-error.ts';
import type { RowBatch } from '../../request/payload/row-batch.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import { isCommitStatusUnknown, ROLLED_BACK, toDatabaseError } from '../session/connection-fault.ts';
import type { Lease } from './lease.ts';
import type { ScriptReply } from '../session/script-reply.ts';
import type { Exchange } from '../session/exchange.ts';
import type { ServerMessage } from '../wire/decoder.ts';
import * as message from '../wire/message-type.ts';
import { readCommandTag, type ServerError } from '../wire/read-message.ts';
import type { Phase, RunEvents } from './run-events.ts';
import { findRetryKind, type RetryKind } from './retry-kind.ts';
import { ScriptParts } from './script-parts.ts';
import { ScriptReading } from './script-reading.ts';
import type { ScriptStep } from './build-step.ts';
import { buildCleanup } from './cleanup-steps.ts';
import * as steps from './script-steps.ts';
import { StatementPlans } from './statement-plans.ts';
import { StepCursor } from './step-cursor.ts';
import { lacksRows, verifyResults } from './verify-results.ts';

export class TransactionRun implements Exchange {
  readonly #lease: Lease;
  readonly #events: RunEvents;
  readonly #cursor: StepCursor;
  readonly #plans: StatementPlans;
  readonly #parts: ScriptParts;
  #reading: ScriptReading;
  #phase: Phase = 'open';
  #failure: ApiError | undefined;
  #retryKind: RetryKind | undefined;
  /** Whether a write has been sent whose COMMIT may take effect even if no answer arrives. */
  #mayBeCommitted = false;

  constructor(lease: Lease, script: TransactionScript, events: RunEvents) {
    this.#lease = lease;
    this.#events = events;
    this.#cursor = new StepCursor(lease.session);
    this.#plans = new StatementPlans(lease.session);
    this.#parts = new ScriptParts(script, lease);
    this.#reading = this.#openReading();
  }

  /** The batch that the database rejected, if any. */
  get refusedBatch(): RowBatch | undefined {
    return this.#parts.refusedBatch;
  }

  get #script(): TransactionScript {
    return this.#parts.current;
  }

  start(): void {
    this.#plans.noteStart();
    const built = steps.buildSteps(this.#script, this.#plans.state);
    if (steps.isHeldOpen(this.#script)) this.#send(built, 'open');
    else this.#sendEnd(built);
    this.#parts.readAhead();
  }

  receive(received: ServerMessage): void {
    const { step } = this.#cursor;
    if (received.type === message.READY_FOR_QUERY)
      return this.#becomeReady(received.bytes[received.start] === message.IDLE);
    if (step === undefined) return this.#lease.session.destroy('the database server sent an unexpected response');
    switch (received.type) {
      case message.ROW_DESCRIPTION:
        return this.#demand(this.#reading.nameColumns(step, received));
      case message.DATA_ROW:
        return this.#demand(this.#reading.addRow(step, received));
      case message.COMMAND_COMPLETE:
        return this.#complete(step, received);
      case message.EMPTY_QUERY:
        return this.#cursor.advance();
      default:
        return this.#cursor.note(received.type);
    }
  }

  refuse(error: ServerError): void {
    const { step } = this.#cursor;
    if (step?.role === 'cleanup' || this.#phase === 'committed') return this.#lease.session.taint();
    this.#mayBeCommitted &&= isCommitStatusUnknown(error);
    if (this.#failure !== undefined) return;
    const isOpen = this.#phase === 'open';
    this.#failure = this.#parts.noteRefusal(step, toDatabaseError(error, this.#cursor.faultContext(isOpen)));
    const hasMainRunEarlier = steps.isHeldOpen(this.#script) && !(isOpen && this.#parts.isAtFirst);
    this.#retryKind = findRetryKind(error.report, this.#cursor.failedStep(hasMainRunEarlier), this.#script.access);
  }

  lose(details: string): void {
    if (this.#phase === 'committed') this.#finish(undefined);
    else if (this.#mayBeCommitted) this.#finish({ kind: 'commitStatusUnknown', details });
    else this.#finish(this.#failure ?? { kind: 'connectionLost', details });
  }

  provideBuffer(remaining: number): Buffer | undefined {
    return this.#reading.provideBuffer(this.#cursor.step, remaining);
  }

  receiveLong(type: number, size: number): ((piece: Buffer) => void) | undefined {
    return type === message.DATA_ROW ? this.#reading.takeLong(this.#cursor.step, size) : undefined;
  }

  #openReading(): ScriptReading {
    const { onAnswer, stop } = this.#events;
    const onOverflow = (error: ApiError): void => {
      this.#failure ??= error;
      if (!this.#lease.session.isShared) stop();
    };
    const onEstimate = (plan: string): void => this.#parts.noteEstimate(plan);
    const onFault = this.#demand.bind(this, false);
    return new ScriptReading(this.#script, this.#lease, { onAnswer, stop, onFault, onOverflow, onEstimate });
  }

  #demand(isWellFormed: boolean): void {
    if (!isWellFormed) this.#lease.session.destroy('the database server sent a malformed row');
  }

  #send(built: readonly ScriptStep[], phase: Phase): void {
    this.#phase = phase;
    this.#cursor.send(built, this);
  }

  /** Sends the steps that end the transaction; the Sync alone may commit it. */
  #sendEnd(built: readonly ScriptStep[]): void {
    const { access, end } = this.#script;
    this.#mayBeCommitted = this.#lease.session.loss === undefined && access === 'read write' && end === 'commit';
    this.#send(built, 'ending');
  }

  #complete(step: ScriptStep, received: ServerMessage): void {
    if (step.role === 'settings') this.#plans.noteRole(this.#script);
    else if (step.role === 'commit') this.#noteCommit(readCommandTag(received));
    else this.#reading.complete(step, received);
    this.#parts.noteComplete(step);
    this.#cursor.advance();
  }

  #noteCommit(tag: string): void {
    this.#mayBeCommitted = false;
    if (tag === 'COMMIT' && this.#failure === undefined) this.#phase = 'committed';
    else this.#failure ??= ROLLED_BACK;
  }

  #becomeReady(isIdle: boolean): void {
    const { session, fallbacks } = this.#lease;
    this.#mayBeCommitted = false;
    this.#cursor.withdrawUnparsed();
    if (this.#phase === 'open' && this.#failure === undefined) return this.#checkOutcome();
    if (!isIdle && this.#phase !== 'rollingBack') {
      this.#failure ??= ROLLED_BACK;
      return this.#send([steps.ROLLBACK], 'rollingBack');
    }
    if (!isIdle) session.taint();
    else if (this.#retryKind !== undefined && this.#mayRetry(this.#retryKind)) return this.#retry(this.#retryKind);
    else if (this.#mustClean) return this.#clean();
    const other = this.#failure === undefined ? this.#reading.replaceScript(fallbacks) : undefined;
    if (other !== undefined) return this.#startAgain(other);
    session.endExchange();
    this.#finish(this.#failure);
  }

  /** The results of the main statements decide what is sent next. */
  #checkOutcome(): void {
    const results = this.#reading.read();
    if (lacksRows(this.#script, results) && this.#mayRetry('missingRows')) this.#retryKind = 'missingRows';
    if (this.#retryKind !== undefined) return this.#send([steps.ROLLBACK], 'rollingBack');
    if (!results.ok || !this.#parts.mayContinue) return this.#conclude(results);
    this.#continue(results).catch((error: unknown) => this.#lease.session.destroy(String(error)));
  }

  /** Sends the batches of rows that have arrived in the meantime, or the next part of the script. */
  async #continue(soFar: Extract<ScriptReply, { ok: true }>): Promise<void> {
    const { session } = this.#lease;
    const sent = this.#script;
    const next = await this.#parts.proceed(soFar.value, this.#plans.state);
    // The loss of the connection has already been reported.
    if (session.loss !== undefined) return;
    if (!next.ok) return this.#conclude(next);
    if (next.value.length === 0) return this.#conclude(soFar);
    if (this.#script !== sent) this.#reading = this.#openReading();
    if (steps.isHeldOpen(this.#script)) this.#send(next.value, 'open');
    else this.#sendEnd([...next.value, ...steps.buildEnding(this.#script, session.statements)]);
    this.#parts.readAhead();
  }

  /** Sends the end of the transaction: commits if the results pass verification, otherwise rolls back. */
  #conclude(results: ScriptReply): void {
    this.#failure = results.ok ? verifyResults(this.#script, results.value) : results.error;
    if (this.#failure === undefined) this.#sendEnd(steps.buildEnding(this.#script, this.#lease.session.statements));
    else this.#send([steps.ROLLBACK], 'rollingBack');
  }

  /** A failed script may have changed session state without reaching its cleanup. */
  get #mustClean(): boolean {
    const hasCleaned = this.#cursor.isAtEnd && this.#cursor.last?.role === 'cleanup';
    return this.#script.leftovers !== 'none' && !hasCleaned && this.#lease.session.isUsable;
  }

  /** Runs after scripts sent in the same round trip. A rollback leaves only locks, which do not affect them. */
  #clean(): void {
    this.#lease.session.endExchange();
    this.#send(buildCleanup(this.#script, this.#lease.session.statements), 'cleaning');
  }

  /** A result that was delivered cannot be delivered again, and rows that were not kept cannot be sent again. */
  #mayRetry(retryKind: RetryKind): boolean {
    if (retryKind === 'otherRole') return true;
    return !this.#plans.isRetry && this.#reading.delivered === undefined && !this.#parts.hasSpentRows;
  }

  /** No main statement of a write has begun, or it has been rolled back to be repeated as its plan says. */
  #retry(retryKind: RetryKind): void {
    this.#plans.forget(retryKind);
    this.#startAgain(this.#parts.first);
  }

  /** Starts again, after scripts sent in the same round trip. */
  #startAgain(script: TransactionScript): void {
    this.#reading.abandon();
    this.#parts.restart(script);
    this.#reading = this.#openReading();
    this.#failure = undefined;
    this.#retryKind = undefined;
    this.#lease.session.endExchange();
    this.start();
  }

  #finish(failure: ApiError | undefined): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    this.#events.onOver(this.#reading.end(failure));
  }
}

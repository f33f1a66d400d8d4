// One transaction script in progress on one connection: sends it as one batch, follows the answers step by step,
// ends the transaction, and gives the result only after the last ReadyForQuery. Deferred constraints fail that late.
import { ok, type Result } from '../contract/result.ts';
import type { ScriptResult } from '../contract/transaction.ts';
import type { TransactionScript } from '../sql/transaction-script.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { RowBatch } from '../request/payload/row-batch.ts';
import { BatchRun, isArriving } from './batch-run.ts';
import { inKnownForm } from './full-form.ts';
import { readLogEnd } from './position-statements.ts';
import { readScriptResult } from './read-outcome.ts';
import { isEndUntold, toDatabaseError } from './connection-fault.ts';
import {
  buildCleanup,
  buildEnding,
  buildSteps,
  isHeldOpen,
  leavesRoleUncertain,
  OTHER_ROLE_STATE,
  type PlanState,
  ROLLBACK,
  type ScriptStep,
} from './script-steps.ts';
import { ScriptAnswer, type Settle } from './script-answer.ts';
import type { Exchange, Session } from './session.ts';
import type { ServerMessage } from './wire/decoder.ts';
import { encodeBatch } from './wire/encoder.ts';
import {
  BIND_COMPLETE,
  COMMAND_COMPLETE,
  DATA_ROW,
  EMPTY_QUERY,
  PARSE_COMPLETE,
  READY_FOR_QUERY,
  ROW_DESCRIPTION,
} from './wire/message-type.ts';
import { isObjectLost, isStale } from './stale-state.ts';
import {
  readColumns,
  readCommandTag,
  readInsertedRows,
  type ColumnValue,
  type ServerError,
} from './wire/read-message.ts';

/** ReadyForQuery's status outside a transaction. */
const IDLE = 0x49;

const ROLLED_BACK: ApiError = {
  kind: 'database',
  report: { sqlstate: '40000', message: 'the transaction was rolled back', detail: undefined, hint: undefined },
};

export class ScriptRun implements Exchange {
  readonly #session: Session;
  #script: TransactionScript;
  readonly #answer: ScriptAnswer;
  /** Undefined: the script has all its rows. */
  readonly #batches: BatchRun | undefined;
  #steps: readonly ScriptStep[] = [];
  #position = 0;
  #isParsed = false;
  #isBound = false;
  #mainRows: ColumnValue[][] = [];
  /** Rows that each further batch has inserted, where nothing else is known. */
  #insertions: number[] = [];
  #planRow: ColumnValue[] | undefined;
  #positionRow: ColumnValue[] | undefined;
  #failure: ApiError | undefined;
  #isStale = false;
  #hasOtherRole = false;
  #isMainRefused = false;
  #isSecondTry = false;
  /** Of the connection's statements, when the script was sent. */
  #generation: number | undefined;
  #isAwaitingCheck: boolean;
  #isRollingBack = false;
  /** The end of the transaction has been sent, unless it is a rollback. */
  #isEndSent = false;
  /** COMMIT has been answered: later errors do not undo the transaction. */
  #isCommitted = false;

  constructor(session: Session, script: TransactionScript, settle: Settle) {
    this.#session = session;
    this.#script = inKnownForm(script);
    this.#answer = new ScriptAnswer(session, this.#script, settle);
    this.#batches = isArriving(script) ? new BatchRun(script) : undefined;
    this.#isAwaitingCheck = isHeldOpen(script);
  }

  /** The batch with which the main statement failed, if it did. */
  get refusedBatch(): RowBatch | undefined {
    return this.#isMainRefused ? this.#batches?.current[this.#mainRows.length + this.#insertions.length] : undefined;
  }

  start(): void {
    this.#generation = this.#session.statements?.generation;
    const steps = buildSteps(this.#script, this.#plans);
    if (this.#isAwaitingCheck) this.#send(steps);
    else this.#sendEnd(steps);
    this.#batches?.readAhead();
  }

  /** A second try relies on no name: another script of the same write may have failed to prepare it. */
  get #plans(): PlanState {
    const { statements, isDiscardingPlans, planRole } = this.#session;
    return { statements: this.#isSecondTry ? undefined : statements, isDiscardingPlans, planRole };
  }

  receive(message: ServerMessage): void {
    const step = this.#step;
    if (message.type === READY_FOR_QUERY) return this.#becomeReady(message.bytes[message.start] === IDLE);
    if (step === undefined) return this.#session.destroy('the database server answered more than was asked');
    switch (message.type) {
      case PARSE_COMPLETE:
        this.#isParsed = true;
        return;
      case BIND_COMPLETE:
        this.#isBound = true;
        return;
      case ROW_DESCRIPTION:
        return this.#answer.rows?.nameColumns(message);
      case DATA_ROW:
        return this.#keepRow(step, message);
      case COMMAND_COMPLETE:
        if (step.role === 'settings') this.#noteRole();
        else if (step.role === 'main') this.#answer.rows?.end();
        else if (step.role === 'insertion') this.#insertions.push(readInsertedRows(readCommandTag(message)));
        else if (step.role === 'commit') this.#noticeEnd(readCommandTag(message));
        return this.#advance();
      case EMPTY_QUERY:
        return this.#advance();
      default:
    }
  }

  refuse(error: ServerError): void {
    if (this.#step?.role === 'cleanup' || this.#isCommitted) return this.#session.taint();
    if (this.#failure !== undefined) return;
    const step = this.#step;
    this.#failure = toDatabaseError(error, {
      isPreparing: step?.preparing !== undefined && !this.#isParsed,
      // Where the batch leaves the transaction open, nothing of it runs at the end of the batch.
      isOwn: step === undefined ? this.#isAwaitingCheck : step.role === 'begin',
    });
    this.#isEndSent &&= isEndUntold(error);
    const isReused = step !== undefined && step.text === undefined;
    this.#isStale = (isReused && !this.#isBound && isStale(error.report)) || isObjectLost(error.report);
    this.#isMainRefused = step?.role === 'main' || step?.role === 'insertion';
    this.#hasOtherRole = step?.role === 'roleCheck' && error.report.sqlstate === OTHER_ROLE_STATE;
  }

  lose(details: string): void {
    if (this.#isCommitted) this.#finish(undefined);
    else if (this.#isEndSent) this.#finish({ kind: 'endUnknown', details });
    else this.#finish(this.#failure ?? { kind: 'connectionLost', details });
  }

  offerRoom(left: number): Buffer | undefined {
    return this.#answer.offerRoom(left);
  }

  receiveLong(type: number, size: number): ((piece: Buffer) => void) | undefined {
    const isMainRow = type === DATA_ROW && this.#step?.role === 'main';
    return isMainRow ? this.#answer.takeLong(size, this.#mainRows.length === 0) : undefined;
  }

  #finish(failure: ApiError | undefined): void {
    this.#answer.finish(failure, () => this.#result);
  }

  get #step(): ScriptStep | undefined {
    return this.#steps[this.#position];
  }

  #send(steps: readonly ScriptStep[]): void {
    this.#steps = steps;
    this.#position = 0;
    this.#isParsed = false;
    this.#isBound = false;
    const closing = this.#session.statements?.takeClosing() ?? [];
    const batch = encodeBatch(closing, steps);
    for (const { preparing, name } of steps) {
      if (preparing !== undefined) this.#session.statements?.add(preparing.scope, preparing.text, name);
    }
    this.#session.send(batch, this);
  }

  /** The statements behind an error do not exist. */
  #withdrawUnparsed(): void {
    const first = this.#isParsed ? this.#position + 1 : this.#position;
    for (const { preparing, name } of this.#steps.slice(first)) {
      if (preparing !== undefined) this.#session.statements?.withdraw(preparing.scope, preparing.text, name);
    }
  }

  /** Sends what commits, if only with its Sync. */
  #sendEnd(steps: readonly ScriptStep[]): void {
    const { access, end } = this.#script;
    this.#isEndSent = this.#session.loss === undefined && access === 'read write' && end === 'commit';
    this.#send(steps);
  }

  /** From here on plans are made for it. */
  #noteRole(): void {
    const isUncertain = leavesRoleUncertain(this.#script, this.#plans.statements);
    this.#session.planRole = isUncertain ? undefined : this.#script.role;
  }

  #noticeEnd(tag: string): void {
    this.#isEndSent = false;
    this.#isCommitted = tag === 'COMMIT' && this.#failure === undefined;
    if (!this.#isCommitted) this.#failure ??= ROLLED_BACK;
  }

  #advance(): void {
    this.#position += 1;
    this.#isParsed = false;
    this.#isBound = false;
  }

  #keepRow(step: ScriptStep, message: ServerMessage): void {
    if (step.role !== 'main' && step.role !== 'plannedCount' && step.role !== 'position') return;
    const { rows } = this.#answer;
    if (step.role === 'main' && rows !== undefined) return rows.addRow(message);
    const columns = readColumns(message);
    if (columns === undefined) return this.#answer.breakOff();
    if (step.role === 'main') this.#mainRows.push(columns);
    else if (step.role === 'plannedCount') this.#planRow = columns;
    else this.#positionRow = columns;
    if (step.role === 'plannedCount') rows?.addPlan(columns);
  }

  #becomeReady(isIdle: boolean): void {
    this.#isEndSent = false;
    if (this.#position < this.#steps.length) this.#withdrawUnparsed();
    if (this.#isAwaitingCheck && this.#failure === undefined) return this.#checkOutcome();
    if (!isIdle && !this.#isRollingBack) {
      this.#failure ??= ROLLED_BACK;
      return this.#rollBack();
    }
    if (!isIdle) this.#session.taint();
    else if (this.#hasOtherRole) return this.#retryWithoutNames();
    else if (this.#isStale && this.#mayTryAgain) return this.#prepareAgain();
    else if (this.#mustClean) return this.#clean();
    const other = this.#failure === undefined ? this.#answer.replaceScript(this.#mainRows.length) : undefined;
    if (other !== undefined) return this.#retry(other);
    this.#session.endExchange();
    this.#finish(this.#failure);
  }

  /** What the main statement has given decides what is sent next. */
  #checkOutcome(): void {
    if (this.#batches === undefined) this.#conclude(this.#result);
    else void this.#repeat(this.#batches);
  }

  /** One more write for the batches of rows that have come meanwhile. */
  async #repeat(batches: BatchRun): Promise<void> {
    for (const row of this.#mainRows.splice(0)) {
      const result = this.#readResult([row]);
      if (!result.ok) return this.#conclude(result);
      if (result.value.kind === 'outcome') batches.add(result.value.outcome);
    }
    for (const count of this.#insertions.splice(0)) batches.addRows(count);
    const next = await batches.proceed(this.#plans.statements);
    // Then the request has had its answer.
    if (this.#session.loss !== undefined) return;
    if (!next.ok) return this.#conclude(next);
    if (next.value.length === 0) return this.#conclude(this.#result);
    this.#send(next.value);
    batches.readAhead();
  }

  /** Last write of a script whose outcome decides whether it may stay. */
  #conclude(result: Result<ScriptResult, ApiError>): void {
    this.#isAwaitingCheck = false;
    if (!result.ok) this.#failure = result.error;
    else if (result.value.kind === 'outcome') this.#failure = this.#script.segments[0].verify?.(result.value.outcome);
    if (this.#failure !== undefined) return this.#rollBack();
    this.#sendEnd(buildEnding(this.#script, this.#session.statements));
  }

  #rollBack(): void {
    this.#isRollingBack = true;
    this.#send([ROLLBACK]);
  }

  /** A failed script may have changed session state and did not reach its cleanup. */
  get #mustClean(): boolean {
    const hasCleaned = this.#position === this.#steps.length && this.#steps.at(-1)?.role === 'cleanup';
    return this.#script.leftovers !== 'none' && !hasCleaned && this.#session.isUsable;
  }

  /** Behind those that were sent with it: what a rollback does not take back are locks, which change no answer. */
  #clean(): void {
    this.#session.endExchange();
    this.#send(buildCleanup(this.#script, this.#session.statements));
  }

  /** The pre-request function has changed the role, for which nothing is prepared: it may do so again. */
  #retryWithoutNames(): void {
    if (this.#session.statements !== undefined) this.#session.statements.isRoleUncertain = true;
    this.#session.planRole = undefined;
    this.#retry();
  }

  #prepareAgain(): void {
    this.#isSecondTry = true;
    const { statements } = this.#session;
    // Another script of the same write may have found out before.
    if (statements?.generation === this.#generation) statements?.clear();
    this.#retry();
  }

  /** Rows that were sent and are not kept cannot be sent again. */
  get #mayTryAgain(): boolean {
    return !this.#isSecondTry && !this.#answer.isGiven && this.#batches?.isAtFirst !== false;
  }

  /** Nothing was committed, so the script may run again, behind those that were sent with it. */
  #retry(script = this.#script): void {
    this.#script = script;
    this.#session.endExchange();
    this.#isStale = false;
    this.#hasOtherRole = false;
    this.#isRollingBack = false;
    this.#failure = undefined;
    this.#isAwaitingCheck = isHeldOpen(this.#script);
    this.#mainRows = [];
    this.#planRow = undefined;
    this.#answer.rows?.clear();
    this.start();
  }

  /** Of all batches, where the rows came in several; of all rows, where they make the body. */
  get #result(): Result<ScriptResult, ApiError> {
    const outcome = this.#batches?.outcome ?? this.#answer.rows?.outcome;
    if (outcome === undefined) return this.#readResult(this.#mainRows);
    const position = this.#positionRow && readLogEnd(this.#positionRow);
    return ok({ kind: 'outcome', outcome: position === undefined ? outcome : { ...outcome, position } });
  }

  #readResult(main: readonly ColumnValue[][]): Result<ScriptResult, ApiError> {
    return readScriptResult(this.#script.segments[0].main, { main, plan: this.#planRow, position: this.#positionRow });
  }
}

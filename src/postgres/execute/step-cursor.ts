// Tracks the statements of one round trip and the progress of their answers. Keeps the statement cache of the connection
// correct: a name counts as prepared once its Parse is sent, and is withdrawn if an error caused it to be skipped.
import type { FaultContext } from '../session/connection-fault.ts';
import type { Exchange } from '../session/exchange.ts';
import type { Session } from '../session/session.ts';
import { encodeBatch } from '../wire/encoder.ts';
import { BIND_COMPLETE, PARSE_COMPLETE } from '../wire/message-type.ts';
import type { FailedStep } from './retry-kind.ts';
import type { ScriptStep } from './build-step.ts';

export class StepCursor {
  readonly #session: Session;
  #steps: readonly ScriptStep[] = [];
  #position = 0;
  #isParsed = false;
  #isBound = false;

  constructor(session: Session) {
    this.#session = session;
  }

  /** The step whose answer is arriving; undefined after the last one. */
  get step(): ScriptStep | undefined {
    return this.#steps[this.#position];
  }

  /** Whether every step has been answered. */
  get isAtEnd(): boolean {
    return this.#position >= this.#steps.length;
  }

  get last(): ScriptStep | undefined {
    return this.#steps.at(-1);
  }

  send(steps: readonly ScriptStep[], exchange: Exchange): void {
    this.#steps = steps;
    this.#position = 0;
    this.#isParsed = false;
    this.#isBound = false;
    const { statements } = this.#session;
    const closing = statements?.takeClosing() ?? [];
    const batch = encodeBatch(closing, steps);
    for (const { preparing, name } of steps) {
      if (preparing !== undefined) statements?.add(preparing.scope, preparing.text, name);
    }
    this.#session.send(batch, exchange);
  }

  /** @param type of a message that advances the current step */
  note(type: number): void {
    if (type === PARSE_COMPLETE) this.#isParsed = true;
    else if (type === BIND_COMPLETE) this.#isBound = true;
  }

  advance(): void {
    this.#position += 1;
    this.#isParsed = false;
    this.#isBound = false;
  }

  /** Withdraws the statements after an error, which the server has skipped. */
  withdrawUnparsed(): void {
    if (this.isAtEnd) return;
    const first = this.#isParsed ? this.#position + 1 : this.#position;
    for (const { preparing, name } of this.#steps.slice(first)) {
      if (preparing !== undefined) this.#session.statements?.withdraw(preparing.scope, preparing.text, name);
    }
  }

  /** @param isOpen whether the transaction stays open after the send, so that nothing runs after the last step */
  faultContext(isOpen: boolean): FaultContext {
    const { step } = this;
    return {
      isPreparing: step?.preparing !== undefined && !this.#isParsed,
      isInternal: step === undefined ? isOpen : step.role === 'begin',
    };
  }

  /** @param hasMainRunEarlier whether a main statement ran in an earlier round trip */
  failedStep(hasMainRunEarlier: boolean): FailedStep {
    const { step } = this;
    const isMainCurrent = this.#isBound && step?.role === 'main';
    const isMainDone = this.#steps.slice(0, this.#position).some(({ role }) => role === 'main');
    return { step, isBound: this.#isBound, hasMainBegun: hasMainRunEarlier || isMainCurrent || isMainDone };
  }
}

// The statements of one write and how far their answers have come. Keeps the connection's statement cache right: a name
// counts as prepared once its Parse is sent, and is withdrawn where an error has skipped it.
import type { FaultPlace } from '../session/connection-fault.ts';
import type { Exchange } from '../session/exchange.ts';
import type { Session } from '../session/session.ts';
import { encodeBatch } from '../wire/encoder.ts';
import { BIND_COMPLETE, PARSE_COMPLETE } from '../wire/message-type.ts';
import type { FailedStep } from './repetition.ts';
import type { ScriptStep } from './script-steps.ts';

export class StepCursor {
  readonly #session: Session;
  #steps: readonly ScriptStep[] = [];
  #position = 0;
  #isParsed = false;
  #isBound = false;

  constructor(session: Session) {
    this.#session = session;
  }

  /** The step whose answer arrives; undefined behind the last one. */
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

  /** @param type of a message that says how far the current step has come */
  note(type: number): void {
    if (type === PARSE_COMPLETE) this.#isParsed = true;
    else if (type === BIND_COMPLETE) this.#isBound = true;
  }

  advance(): void {
    this.#position += 1;
    this.#isParsed = false;
    this.#isBound = false;
  }

  /** The statements behind an error do not exist. */
  withdrawUnparsed(): void {
    if (this.isAtEnd) return;
    const first = this.#isParsed ? this.#position + 1 : this.#position;
    for (const { preparing, name } of this.#steps.slice(first)) {
      if (preparing !== undefined) this.#session.statements?.withdraw(preparing.scope, preparing.text, name);
    }
  }

  /** @param isOpen the write leaves its transaction open, so that nothing of it runs behind the last step */
  placeOfFault(isOpen: boolean): FaultPlace {
    const { step } = this;
    return {
      isPreparing: step?.preparing !== undefined && !this.#isParsed,
      isOwn: step === undefined ? isOpen : step.role === 'begin',
    };
  }

  /** @param isBehindMain a main statement has run in an earlier write */
  failedStep(isBehindMain: boolean): FailedStep {
    const { step } = this;
    const isMainCurrent = this.#isBound && step?.role === 'main';
    const isMainDone = this.#steps.slice(0, this.#position).some(({ role }) => role === 'main');
    return { step, isBound: this.#isBound, hasMainBegun: isBehindMain || isMainCurrent || isMainDone };
  }
}

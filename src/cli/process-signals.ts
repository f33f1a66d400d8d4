// The signals by which the process is told to reload or to end (`operating.md` §6.7).
import { constants } from 'node:os';

export interface SignalHandler {
  reloadSchemaCache(): void;
  reloadConfig(): void;
}

export type EndSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

const END_SIGNALS: readonly EndSignal[] = ['SIGTERM', 'SIGINT'];

/** A second signal within this time repeats the first one: for one Ctrl-C, both the terminal and `npm` send a signal. */
const REPEAT_WINDOW_MS = 500;

export class ProcessSignals {
  /** Resolves when the process is asked to end. A second signal ends it at once. */
  readonly end: Promise<EndSignal>;
  #requestEnd = (_signal: EndSignal): void => {};
  #handler: SignalHandler | undefined;

  constructor() {
    this.end = new Promise((resolve) => (this.#requestEnd = resolve));
  }

  /**
   * From now on signals do not terminate the process by themselves.
   * @param endsOnHangUp where SIGHUP says that the terminal has gone, not that an operator asks for a reload
   */
  catch({ endsOnHangUp }: { readonly endsOnHangUp: boolean }): void {
    let firstSignalAt: number | undefined;
    for (const signal of endsOnHangUp ? [...END_SIGNALS, 'SIGHUP' as const] : END_SIGNALS) {
      process.on(signal, () => {
        firstSignalAt ??= performance.now();
        if (performance.now() - firstSignalAt > REPEAT_WINDOW_MS) process.exit(128 + constants.signals[signal]);
        this.#requestEnd(signal);
      });
    }
    if (process.platform === 'win32') return;
    process.on('SIGUSR1', () => this.#handler?.reloadSchemaCache());
    for (const signal of endsOnHangUp ? ['SIGUSR2'] : ['SIGUSR2', 'SIGHUP'])
      process.on(signal, () => this.#handler?.reloadConfig());
  }

  /** Before this, there is nothing that could be reloaded. */
  tell(handler: SignalHandler): void {
    this.#handler = handler;
  }
}

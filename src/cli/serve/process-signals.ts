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

/** Milliseconds between two looks at who our parent is, of which no system tells. */
const PARENT_INTERVAL_MS = 250;

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
   * @param endsWithTerminal where SIGHUP says that the terminal has gone, not that an operator asks for a reload
   */
  catch({ endsWithTerminal }: { readonly endsWithTerminal: boolean }): void {
    let firstSignalAt: number | undefined;
    for (const signal of endsWithTerminal ? [...END_SIGNALS, 'SIGHUP' as const] : END_SIGNALS) {
      process.on(signal, () => {
        firstSignalAt ??= performance.now();
        if (performance.now() - firstSignalAt > REPEAT_WINDOW_MS) process.exit(128 + constants.signals[signal]);
        this.#requestEnd(signal);
      });
    }
    if (process.platform === 'win32') return;
    process.on('SIGUSR1', () => this.#handler?.reloadSchemaCache());
    for (const signal of endsWithTerminal ? ['SIGUSR2'] : ['SIGUSR2', 'SIGHUP'])
      process.on(signal, () => this.#handler?.reloadConfig());
  }

  /**
   * For programs that `npm` starts: it passes on a signal to the shell between, which ends without telling us. Where that
   * shell is gone already, somebody has put us into the background.
   */
  endWithParent(): void {
    const parent = process.ppid;
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      this.#requestEnd('SIGTERM');
    }, PARENT_INTERVAL_MS);
    timer.unref();
  }

  /** Before this, there is nothing that could be reloaded. */
  tell(handler: SignalHandler): void {
    this.#handler = handler;
  }
}

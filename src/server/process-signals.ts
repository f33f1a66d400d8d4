// Handles the signals that reload or end the process (`operating.md` §6.7).
import { constants } from 'node:os';

export interface SignalHandler {
  reloadSchemaCache(): void;
  reloadConfig(): void;
}

export type EndSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

const END_SIGNALS: readonly EndSignal[] = ['SIGTERM', 'SIGINT'];

/** Ignores a second signal within this time: for one Ctrl-C, both the terminal and `npm` send a signal. */
const REPEAT_WINDOW_MS = 500;

/** Polling interval for the parent process, because no system notifies of its exit. */
const PARENT_INTERVAL_MS = 250;

export class ProcessSignals {
  /** Resolves on the first signal to end. A second signal ends the process at once. */
  readonly end: Promise<EndSignal>;
  #requestEnd = (_signal: EndSignal): void => {};
  #handler: SignalHandler | undefined;

  constructor() {
    this.end = new Promise((resolve) => (this.#requestEnd = resolve));
  }

  /**
   * Installs handlers, so that signals no longer terminate the process.
   * @param endsWithTerminal whether SIGHUP means that the terminal was closed, not that an operator requests a reload
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
   * Ends the process with its parent. `npm` forwards a signal only to the shell in between, which exits without
   * notifying this process.
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

  /** Sets the handler of reload signals, which are ignored until then. */
  setHandler(handler: SignalHandler): void {
    this.#handler = handler;
  }
}

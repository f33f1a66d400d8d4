// The signals by which the process is told to reload or to end (`operations.md` §6.7).
import { constants } from 'node:os';

export interface SignalObeyer {
  reloadSchemaCache(): void;
  reloadConfig(): void;
}

export type EndSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

const END_SIGNALS: readonly EndSignal[] = ['SIGTERM', 'SIGINT'];

/** Milliseconds in which a second signal is still the first wish: of one Ctrl-C both the terminal and `npm` tell. */
const SAME_WISH = 500;

export class ProcessSignals {
  /** Resolves when the process is asked to end. A second wish ends it at once. */
  readonly end: Promise<EndSignal>;
  #wishEnd = (_signal: EndSignal): void => {};
  #obeyer: SignalObeyer | undefined;

  constructor() {
    this.end = new Promise((resolve) => (this.#wishEnd = resolve));
  }

  /**
   * From now on the process outlives its signals.
   * @param endsOnHangUp where SIGHUP says that the terminal has gone, and is no wish of an operator's
   */
  catch({ endsOnHangUp }: { readonly endsOnHangUp: boolean }): void {
    let firstWish: number | undefined;
    for (const signal of endsOnHangUp ? [...END_SIGNALS, 'SIGHUP' as const] : END_SIGNALS) {
      process.on(signal, () => {
        firstWish ??= performance.now();
        if (performance.now() - firstWish > SAME_WISH) process.exit(128 + constants.signals[signal]);
        this.#wishEnd(signal);
      });
    }
    if (process.platform === 'win32') return;
    process.on('SIGUSR1', () => this.#obeyer?.reloadSchemaCache());
    for (const signal of endsOnHangUp ? ['SIGUSR2'] : ['SIGUSR2', 'SIGHUP'])
      process.on(signal, () => this.#obeyer?.reloadConfig());
  }

  /** Before this, there is nothing that could be reloaded. */
  tell(obeyer: SignalObeyer): void {
    this.#obeyer = obeyer;
  }
}

// The signals by which the process is told to reload or to end (`operations.md` §6.7).
import { constants } from 'node:os';

export interface SignalObeyer {
  reloadSchemaCache(): void;
  reloadConfig(): void;
}

export type EndSignal = 'SIGTERM' | 'SIGINT';

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

  /** From now on the process outlives its signals. */
  catch(): void {
    let firstWish: number | undefined;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        firstWish ??= performance.now();
        if (performance.now() - firstWish > SAME_WISH) process.exit(128 + constants.signals[signal]);
        this.#wishEnd(signal);
      });
    }
    if (process.platform === 'win32') return;
    process.on('SIGUSR1', () => this.#obeyer?.reloadSchemaCache());
    process.on('SIGUSR2', () => this.#obeyer?.reloadConfig());
  }

  /** Before this, there is nothing that could be reloaded. */
  tell(obeyer: SignalObeyer): void {
    this.#obeyer = obeyer;
  }
}

// Creates the logger from the configuration and an output.
import { randomUUID } from 'node:crypto';
import type { AppConfig } from '../../config/table/app-config.ts';
import { DIALECTS } from '../../contract/dialect.ts';
import { PRODUCT } from '../../contract/product.ts';
import { Logger, type LogOutput } from '../../observe/logger.ts';

/** Further pool timeouts within this time are logged as one line. */
const POOL_TIMEOUT_WINDOW_MS = 5000;

export function createLogger(config: AppConfig, output: LogOutput): Logger {
  return new Logger(config, {
    product: PRODUCT,
    dialect: DIALECTS[config.dialect],
    output,
    now: () => Date.now(),
    newRequestId: () => randomUUID(),
    debounce: new Debouncer(POOL_TIMEOUT_WINDOW_MS).run,
  });
}

/** Debounces calls: runs the first one immediately; those within the window run once at its end. */
export class Debouncer {
  /** Milliseconds. */
  readonly #window: number;
  #timer: NodeJS.Timeout | undefined;
  #pending: (() => void) | undefined;

  constructor(window: number) {
    this.#window = window;
  }

  readonly run = (action: () => void): void => {
    if (this.#timer !== undefined) {
      this.#pending = action;
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const pending = this.#pending;
      this.#pending = undefined;
      if (pending !== undefined) this.run(pending);
    }, this.#window);
    this.#timer.unref();
    action();
  };
}

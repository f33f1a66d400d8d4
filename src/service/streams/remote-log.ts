// The log as a worker reads it, from the primary process, which has the only connection.
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { LogStream } from '../../postgres/replication/log-stream.ts';
import type { LogFeedOptions } from './log-feed.ts';
import type { LogEvent, LogRequest } from './log-relay.ts';

type OpenOptions = Parameters<LogFeedOptions['open']>[0];

interface Reading extends OpenOptions {
  readonly settle: (opened: Result<LogStream, ApiError>) => void;
}

export class RemoteLog {
  readonly #send: (slot: string, request: LogRequest) => void;
  readonly #readings: Map<string, Reading> = new Map();

  constructor(send: (slot: string, request: LogRequest) => void) {
    this.#send = send;
  }

  open(options: OpenOptions): Promise<Result<LogStream, ApiError>> {
    return new Promise((settle) => {
      this.#readings.set(options.slot, { ...options, settle });
      this.#send(options.slot, 'open');
    });
  }

  receive(slot: string, event: LogEvent): void {
    const reading = this.#readings.get(slot);
    if (reading === undefined) return;
    switch (event.kind) {
      case 'opened':
        return reading.settle(ok(this.#createStream(slot)));
      case 'transaction':
        return reading.onTransaction(event.transaction);
      case 'failed':
        this.#readings.delete(slot);
        return reading.settle(fail(event.error));
      case 'lost':
        this.#readings.delete(slot);
        return reading.onLoss(event.details);
    }
  }

  #createStream(slot: string): LogStream {
    return {
      pause: () => this.#send(slot, 'pause'),
      resume: () => this.#send(slot, 'resume'),
      close: () => {
        if (this.#readings.delete(slot)) this.#send(slot, 'close');
        return Promise.resolve();
      },
    };
  }
}

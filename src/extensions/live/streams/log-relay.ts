// Receives the log once for all workers. Each worker subscribes with the name of its slot, and gets all transactions
// from then on. The primary process has `WorkerLogs`, and each worker a `RemoteLog`.
import type { LogTransaction } from '../log/log-changes.ts';
import type { LogPosition } from '../../../contract/log-position.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { LogStream } from '../log/log-stream.ts';
import { attempt } from './attempt.ts';
import type { WorkerLink } from '../../../serve/extension.ts';
import type { LogFeedOptions } from './log-feed.ts';

/** A worker asks for the log under this name of a slot. */
export interface LogQuestion {
  readonly slot: string;
  readonly request: 'open' | 'close' | 'pause' | 'resume' | 'ask';
}

type LogRequest = LogQuestion['request'];

/** What a worker gets from the log that it has opened. */
export interface LogNews {
  readonly slot: string;
  readonly event: LogEvent;
}

type LogEvent =
  | { readonly kind: 'opened'; /** Where the log begins for this reader. */ readonly start: LogPosition }
  | { readonly kind: 'position'; readonly position: LogPosition }
  | { readonly kind: 'failed'; readonly error: ApiError }
  | { readonly kind: 'transaction'; readonly transaction: LogTransaction }
  | { readonly kind: 'lost'; readonly details: string };

interface LogReader {
  readonly send: (event: LogEvent) => void;
  isOpen: boolean;
  isPaused: boolean;
}

/** Passes the log of the database on to the workers that watch rows. */
export class WorkerLogs {
  readonly #relay: LogRelay;
  readonly #tell: (worker: WorkerLink, news: LogNews) => void;
  /** Names of the slots that each worker has opened. */
  readonly #slots: Map<WorkerLink, Set<string>> = new Map();

  constructor(log: Pick<LogFeedOptions, 'open' | 'observe'>, tell: (worker: WorkerLink, news: LogNews) => void) {
    this.#relay = new LogRelay(log);
    this.#tell = tell;
  }

  receive(worker: WorkerLink, { slot, request }: LogQuestion): void {
    const slots = this.#slots.get(worker) ?? new Set();
    this.#slots.set(worker, slots);
    if (request === 'open') slots.add(slot);
    if (request === 'close') slots.delete(slot);
    void this.#relay.receive(slot, request, (event) => this.#tell(worker, { slot, event }));
  }

  /** Call when the worker has ended. */
  remove(worker: WorkerLink): void {
    for (const slot of this.#slots.get(worker) ?? []) void this.#relay.remove(slot);
    this.#slots.delete(worker);
  }
}

class LogRelay {
  readonly #open: LogFeedOptions['open'];
  readonly #observe: LogFeedOptions['observe'];
  readonly #readers: Map<string, LogReader> = new Map();
  #stream: Promise<Result<LogStream, ApiError>> | undefined;
  #isPaused = false;
  /** What the readers have been told ends here. */
  #position: LogPosition | undefined;
  /** Whether a reader waits for a position. */
  #isAsked = false;

  constructor({ open, observe }: Pick<LogFeedOptions, 'open' | 'observe'>) {
    this.#open = open;
    this.#observe = observe;
  }

  /** @param slot identifies the reader, @param send called with its messages */
  async receive(slot: string, request: LogRequest, send: (event: LogEvent) => void): Promise<void> {
    const reader = this.#readers.get(slot);
    if (request === 'open') return this.#add(slot, { send, isOpen: false, isPaused: false });
    if (request === 'close') return this.remove(slot);
    if (reader === undefined) return;
    if (request === 'ask') return this.#ask();
    reader.isPaused = request === 'pause';
    await this.#balance();
  }

  /** Ends the connection if no reader is left. */
  async remove(slot: string): Promise<void> {
    if (!this.#readers.delete(slot)) return;
    if (this.#readers.size > 0) return this.#balance();
    const stream = this.#stream;
    this.#stream = undefined;
    this.#isPaused = false;
    const opened = await stream;
    if (opened?.ok === true) await attempt(async () => ok(await opened.value.close()), this.#observe);
  }

  async #add(slot: string, reader: LogReader): Promise<void> {
    this.#readers.set(slot, reader);
    const stream = (this.#stream ??= this.#start(slot));
    const opened = await stream;
    if (this.#readers.get(slot) !== reader) return;
    if (opened.ok && this.#stream === stream) {
      reader.isOpen = true;
      return reader.send({ kind: 'opened', start: this.#position ?? opened.value.start });
    }
    this.#readers.delete(slot);
    if (this.#stream === stream) this.#stream = undefined;
    reader.send({ kind: 'failed', error: opened.ok ? LOST : opened.error });
  }

  async #ask(): Promise<void> {
    const opened = await this.#stream;
    if (opened?.ok !== true) return;
    this.#isAsked = true;
    opened.value.ask();
  }

  #start(slot: string): Promise<Result<LogStream, ApiError>> {
    this.#position = undefined;
    const log = {
      slot,
      onTransaction: (transaction: LogTransaction) => {
        if (this.#stream !== stream) return;
        this.#position = transaction.position;
        this.#tell({ kind: 'transaction', transaction });
      },
      onPosition: (position: LogPosition) => {
        if (this.#stream !== stream) return;
        this.#position = position;
        if (this.#isAsked) this.#tell({ kind: 'position', position });
        this.#isAsked = false;
      },
      onLoss: (details: string) => {
        if (this.#stream !== stream) return;
        this.#stream = undefined;
        this.#isPaused = false;
        this.#tell({ kind: 'lost', details });
        for (const [name, reader] of this.#readers) if (reader.isOpen) this.#readers.delete(name);
      },
    };
    const stream = attempt(() => this.#open(log), this.#observe);
    return stream;
  }

  #tell(event: LogEvent): void {
    for (const reader of this.#readers.values()) if (reader.isOpen) reader.send(event);
  }

  /** Pauses the log while any reader is paused. */
  async #balance(): Promise<void> {
    const mustPause = [...this.#readers.values()].some(({ isPaused }) => isPaused);
    if (mustPause === this.#isPaused) return;
    this.#isPaused = mustPause;
    const opened = await this.#stream;
    if (opened?.ok !== true || mustPause !== this.#isPaused) return;
    if (mustPause) opened.value.pause();
    else opened.value.resume();
  }
}

const LOST: ApiError = { kind: 'connectionLost', details: 'the log ended at once' };

type OpenOptions = Parameters<LogFeedOptions['open']>[0];

interface Reading extends OpenOptions {
  readonly settle: (opened: Result<LogStream, ApiError>) => void;
}

/** The log as a worker reads it, from the primary process. */
export class RemoteLog {
  readonly #ask: (question: LogQuestion) => void;
  readonly #readings: Map<string, Reading> = new Map();

  constructor(ask: (question: LogQuestion) => void) {
    this.#ask = ask;
  }

  open(options: OpenOptions): Promise<Result<LogStream, ApiError>> {
    return new Promise((settle) => {
      this.#readings.set(options.slot, { ...options, settle });
      this.#ask({ slot: options.slot, request: 'open' });
    });
  }

  receive({ slot, event }: LogNews): void {
    const reading = this.#readings.get(slot);
    if (reading === undefined) return;
    switch (event.kind) {
      case 'opened':
        return reading.settle(ok(this.#createStream(slot, event.start)));
      case 'transaction':
        return reading.onTransaction(event.transaction);
      case 'position':
        return reading.onPosition(event.position);
      case 'failed':
        this.#readings.delete(slot);
        return reading.settle(fail(event.error));
      case 'lost':
        this.#readings.delete(slot);
        return reading.onLoss(event.details);
    }
  }

  #createStream(slot: string, start: LogPosition): LogStream {
    return {
      start,
      ask: () => this.#ask({ slot, request: 'ask' }),
      pause: () => this.#ask({ slot, request: 'pause' }),
      resume: () => this.#ask({ slot, request: 'resume' }),
      close: () => {
        if (this.#readings.delete(slot)) this.#ask({ slot, request: 'close' });
        return Promise.resolve();
      },
    };
  }
}

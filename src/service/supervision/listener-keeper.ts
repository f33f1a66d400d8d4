// Keeps one connection listening for notifications, reconnects after losses and configuration changes, and triggers the
// requested reloads (`operating.md` §7).
import type { AppConfig } from '../../config/table/app-config.ts';
import type { Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Observe } from '../../observe/observation.ts';
import type { Listener, ListenerOptions } from '../../postgres/session/listener.ts';
import { retryDelay } from '../scheduling/waiting.ts';

export interface ListenerKeeperOptions {
  readonly open: (
    options: Pick<ListenerOptions, 'channel' | 'isQueueRepaired' | 'onNotification' | 'onLoss'>,
  ) => Promise<Result<Listener, ApiError>>;
  readonly observe: Observe;
  readonly onSchemaNotified: () => void;
  readonly onConfigNotified: () => void;
  /** Called when the listener is connected; earlier changes may have been missed. */
  readonly onConnected: () => void;
  /** Called on failure; returns `true` if the failure ends the process. */
  readonly onFailed: (error: ApiError) => boolean;
}

/** Attempts also take place during a logged pause, so that an available database is found soon. */
const MAX_PAUSE_MS = 1000;
const QUEUE_DAMAGE = 'could not access status of transaction';

/** Tries to listen on one channel, again and again, until it is stopped. */
class Watch {
  readonly channel: string;
  readonly #options: ListenerKeeperOptions;
  #listener: Listener | undefined;
  #isStopped = false;
  #isQueueDamaged = false;
  #failures = 0;
  /** Reason of the last failure, which is logged only once while it stays the same. */
  #reason: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The attempt that is under way. */
  #attempt: Promise<void> | undefined;
  /** Time of the monotonic clock before which failures are not reported. */
  #due = 0;

  constructor(channel: string, options: ListenerKeeperOptions) {
    this.channel = channel;
    this.#options = options;
  }

  get isListening(): boolean {
    return this.#listener !== undefined;
  }

  /** Reason of the last failure; undefined while listening. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** Connects now unless it is listening. Resolves when the attempt has ended, successfully or not. */
  connect(): Promise<void> {
    if (this.isListening || this.#isStopped) return Promise.resolve();
    clearTimeout(this.#timer);
    this.#attempt ??= this.#open().finally(() => (this.#attempt = undefined));
    return this.#attempt;
  }

  async #open(): Promise<void> {
    const opened = await this.#options.open({
      channel: this.channel,
      isQueueRepaired: this.#isQueueDamaged,
      onNotification: (payload) => this.#receive(payload),
      onLoss: (details) => this.#lose(details),
    });
    if (this.#isStopped) {
      if (opened.ok) await opened.value.close();
    } else if (opened.ok) {
      const { serverVersion, host, port } = opened.value;
      this.#listener = opened.value;
      this.#failures = 0;
      this.#reason = undefined;
      this.#isQueueDamaged = false;
      this.#options.observe({ kind: 'listenerConnected', serverVersion, host, port, channel: this.channel });
      this.#options.onConnected();
    } else if (performance.now() < this.#due) this.#schedule();
    else this.#fail(opened.error);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    const listener = this.#listener;
    this.#listener = undefined;
    await listener?.close();
  }

  #receive(payload: string): void {
    const { observe, onSchemaNotified, onConfigNotified } = this.#options;
    if (payload === '' || payload === 'reload schema') {
      observe({ kind: 'reloadNotified', subject: 'schema cache', channel: this.channel });
      onSchemaNotified();
    } else if (payload === 'reload config') {
      observe({ kind: 'reloadNotified', subject: 'config', channel: this.channel });
      onConfigNotified();
    }
  }

  #lose(details: string): void {
    this.#listener = undefined;
    this.#fail({ kind: 'connectionLost', details });
  }

  #fail(error: ApiError): void {
    const { observe, onFailed } = this.#options;
    const reason = describeReason(error);
    if (reason !== this.#reason) observe({ kind: 'listenerFailed', channel: this.channel, reason });
    this.#reason = reason;
    if (onFailed(error)) return;
    if (reason.includes(QUEUE_DAMAGE)) {
      this.#isQueueDamaged = true;
      observe({ kind: 'notificationQueueDamaged' });
    }
    const seconds = retryDelay(this.#failures);
    this.#failures += 1;
    observe({ kind: 'listenerRetrying', seconds });
    this.#due = performance.now() + seconds * 1000;
    this.#schedule();
  }

  #schedule(): void {
    const pause = Math.min(this.#due - performance.now(), MAX_PAUSE_MS);
    this.#timer = setTimeout(() => void this.connect(), pause);
  }
}

export class ListenerKeeper {
  readonly #options: ListenerKeeperOptions;
  #watch: Watch | undefined;

  constructor(options: ListenerKeeperOptions) {
    this.#options = options;
  }

  get isListening(): boolean {
    return this.#watch?.isListening ?? false;
  }

  /** Reason of the last failure; undefined while listening. */
  get failure(): string | undefined {
    return this.#watch?.reason;
  }

  /** Connects now unless it is listening, or does not listen. Resolves when the attempt has ended. */
  async connect(): Promise<void> {
    await this.#watch?.connect();
  }

  /** Starts, stops or changes the channel if the settings have changed. */
  apply({ dbChannel, dbChannelEnabled }: Pick<AppConfig, 'dbChannel' | 'dbChannelEnabled'>): void {
    const channel = dbChannelEnabled ? dbChannel : undefined;
    if (this.#watch?.channel === channel) return;
    void this.#watch?.stop();
    this.#watch = channel === undefined ? undefined : new Watch(channel, this.#options);
    void this.#watch?.connect();
  }

  async close(): Promise<void> {
    await this.#watch?.stop();
    this.#watch = undefined;
  }
}

function describeReason(error: ApiError): string {
  if (error.kind === 'database') return error.report.message;
  const details = 'details' in error ? error.details : undefined;
  return typeof details === 'string' ? details : error.kind;
}

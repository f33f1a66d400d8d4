// Passes notifications of the database on to event streams. One connection listens to each channel while a stream uses
// it. It is reopened after a loss.
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import { renderEvent } from '../events/event-text.ts';
import type { ChannelListener, ChannelListenerOptions } from './channel-listener.ts';
import type { Observe } from '../../../observe/observation.ts';
import { retryDelay } from '../../../service/scheduling/waiting.ts';
import { SetMap } from '../events/set-map.ts';
import { attempt, noteCrash } from './attempt.ts';
import type { EventBody } from './event-body.ts';

export interface ChannelHubOptions {
  readonly open: (
    events: Pick<ChannelListenerOptions, 'onNotification' | 'onLoss'>,
  ) => Promise<Result<ChannelListener, ApiError>>;
  /** Name of the event that streams get after a loss: `svc.gap`. */
  readonly gapName: string;
  readonly observe: Observe;
}

export class ChannelHub {
  readonly #options: ChannelHubOptions;
  readonly #streams: SetMap<string, EventBody> = new SetMap();
  /** Streams that may have missed notifications. */
  readonly #gapped: Set<EventBody> = new Set();
  #listener: ChannelListener | undefined;
  /** Channels that the connection listens to. */
  #listening: Set<string> = new Set();
  /** Serializes changes of the connection. */
  #work: Promise<unknown> = Promise.resolve();
  #failures = 0;
  #retry: NodeJS.Timeout | undefined;
  #number = 0;

  constructor(options: ChannelHubOptions) {
    this.#options = options;
  }

  /** Resolves when the database listens to all channels. */
  add(body: EventBody, channels: readonly string[]): Promise<Result<void, ApiError>> {
    for (const channel of channels) this.#streams.add(channel, body);
    return this.#adapt();
  }

  remove(body: EventBody): void {
    this.#gapped.delete(body);
    for (const channel of this.#streams.keys()) this.#streams.delete(channel, body);
    void this.#adapt();
  }

  /** Call when no stream is left. */
  async close(): Promise<void> {
    clearTimeout(this.#retry);
    this.#streams.clear();
    await this.#adapt();
  }

  /** Makes the connection listen to exactly the channels that streams use. */
  #adapt(): Promise<Result<void, ApiError>> {
    const adapted = this.#work.then(() => this.#adaptOrReconnect());
    this.#work = adapted;
    return adapted;
  }

  /** After an exception, the channels of the connection are unknown. */
  async #adaptOrReconnect(): Promise<Result<void, ApiError>> {
    try {
      return await this.#adaptNow();
    } catch (error) {
      const failed = fail(noteCrash(error, this.#options.observe));
      this.#noteGap();
      const abandoned = this.#listener;
      this.#listener = undefined;
      this.#listening.clear();
      await attempt(async () => ok(await abandoned?.close()), this.#options.observe);
      return this.#streams.isEmpty ? failed : this.#retryLater(failed);
    }
  }

  async #adaptNow(): Promise<Result<void, ApiError>> {
    if (this.#streams.isEmpty) return this.#disconnect();
    const connected = await this.#connect();
    if (!connected.ok) return this.#retryLater(connected);
    const listener = connected.value;
    for (const channel of this.#streams.keys()) {
      if (this.#listening.has(channel)) continue;
      const listening = await listener.listen(channel);
      if (!listening.ok) return this.#retryLater(listening);
      this.#listening.add(channel);
    }
    for (const channel of this.#listening) {
      if (this.#streams.has(channel)) continue;
      this.#listening.delete(channel);
      await listener.unlisten(channel);
    }
    this.#failures = 0;
    this.#reportGap();
    return ok(undefined);
  }

  async #disconnect(): Promise<Result<void, ApiError>> {
    clearTimeout(this.#retry);
    const listener = this.#listener;
    this.#listener = undefined;
    this.#listening.clear();
    await listener?.close();
    return ok(undefined);
  }

  async #connect(): Promise<Result<ChannelListener, ApiError>> {
    if (this.#listener !== undefined) return ok(this.#listener);
    const opened = await this.#options.open({
      onNotification: (channel, payload) => this.#notify(channel, payload),
      onLoss: () => this.#lose(),
    });
    if (opened.ok) this.#listener = opened.value;
    return opened;
  }

  #notify(channel: string, payload: string): void {
    const streams = this.#streams.get(channel);
    if (streams === undefined) return;
    this.#number += 1;
    const event = renderEvent({ name: channel, id: String(this.#number), data: payload });
    for (const body of streams) body.push(event);
  }

  #lose(): void {
    this.#listener = undefined;
    this.#listening.clear();
    this.#noteGap();
    void this.#adapt();
  }

  #noteGap(): void {
    for (const streams of this.#streams.values()) for (const body of streams) this.#gapped.add(body);
  }

  #reportGap(): void {
    if (this.#gapped.size === 0) return;
    const gap = renderEvent({ name: this.#options.gapName, id: undefined, data: '' });
    for (const body of this.#gapped) body.push(gap);
    this.#gapped.clear();
  }

  #retryLater(failed: Result<never, ApiError>): Result<void, ApiError> {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#adapt(), Math.min(retryDelay(this.#failures), 4) * 1000);
    this.#failures += 1;
    return failed;
  }
}

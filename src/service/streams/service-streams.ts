// Owns the event streams of this process: their number, heartbeats, and how they end.
import type { BodyStream } from '../../contract/body-stream.ts';
import type { AppConfig } from '../../config/table/app-config.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { EventStreams } from '../../live/event-streams.ts';
import { HEARTBEAT, renderRetry } from '../../live/event-text.ts';
import { findTokenEnd } from '../../live/token-end.ts';
import { ChannelHub, type ChannelHubOptions } from './channel-hub.ts';
import { EventBody } from './event-body.ts';
import { StreamClock } from './stream-clock.ts';

export interface ServiceStreamsOptions extends ChannelHubOptions {
  readonly config: () => Pick<AppConfig, 'eventsMaxStreams'>;
}

const MAX_BACKLOG = 1_048_576;
/** How long clients wait before they reconnect to a server that has ended; it may be restarting. */
const RETRY_MS = 2000;
const TOO_SLOW: ApiError = { kind: 'overloaded', details: 'The client read its events too slowly', option: undefined };

export class ServiceStreams implements EventStreams {
  readonly #options: ServiceStreamsOptions;
  readonly #channels: ChannelHub;
  readonly #clock = new StreamClock();
  readonly #open: Set<EventBody> = new Set();
  #hasEnded = false;

  constructor(options: ServiceStreamsOptions) {
    this.#options = options;
    this.#channels = new ChannelHub(options);
  }

  /** Number of open streams of channels. */
  get channelStreams(): number {
    return this.#open.size;
  }

  async openChannels(channels: readonly string[], claimsText: string): Promise<Result<BodyStream, ApiError>> {
    const refusal = this.#findRefusal();
    if (refusal !== undefined) return fail(refusal);
    const body = new EventBody({
      maxBacklog: MAX_BACKLOG,
      onBacklog: (slow) => slow.fail(TOO_SLOW),
      onOver: (over) => {
        this.#open.delete(over);
        this.#clock.remove(over);
        this.#channels.remove(over);
      },
    });
    this.#open.add(body);
    const listening = await this.#channels.add(body, channels);
    if (!listening.ok) {
      body.cancel();
      return listening;
    }
    body.push(HEARTBEAT);
    this.#clock.add(body, { heartbeat: HEARTBEAT, endsAt: findTokenEnd(claimsText, Date.now()), last: undefined });
    return ok(body);
  }

  /** Ends all streams and refuses new ones. */
  end(): void {
    this.#hasEnded = true;
    const retry = renderRetry(RETRY_MS);
    for (const body of this.#open) body.end(retry);
  }

  /** Resolves when no connection is left. */
  async close(): Promise<void> {
    this.end();
    for (const body of this.#open) body.cancel();
    await this.#channels.close();
  }

  #findRefusal(): ApiError | undefined {
    const option = 'events-max-streams';
    const { eventsMaxStreams } = this.#options.config();
    if (this.#hasEnded) return { kind: 'overloaded', details: 'The server is shutting down', option: undefined };
    if (this.#open.size < eventsMaxStreams) return undefined;
    return { kind: 'overloaded', details: `${eventsMaxStreams} event streams are open`, option };
  }
}

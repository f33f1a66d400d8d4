// Opens the bodies of event streams. The service implements it; requests use it through their context.
import type { Identity } from '../auth/authenticate.ts';
import type { HttpRequest } from '../contract/http.ts';
import type { BodyStream } from '../contract/body-stream.ts';
import type { CancelSignal } from '../contract/cancel-signal.ts';
import type { Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { Planning } from '../prepare/plan-cache.ts';
import type { LiveRead } from '../sql/render-script.ts';

/** The request for a stream of rows, and what it was planned under. */
export interface WatchedWork {
  readonly request: HttpRequest;
  readonly identity: Identity;
  readonly planning: Planning;
  /** `signal` aborts when the client disconnects. */
  readonly context: { readonly signal: CancelSignal | undefined };
}

export interface EventStreams {
  /**
   * Opens a stream of the notifications on these channels. Resolves when the database listens to all of them.
   * @param claimsText of the identity; the stream ends when its token expires
   */
  openChannels(channels: readonly string[], claimsText: string): Promise<Result<BodyStream, ApiError>>;

  /** Opens a stream of the rows that the request reads. Resolves when they have been read for the first time. */
  watch(live: LiveRead, work: WatchedWork): Promise<Result<BodyStream, ApiError>>;
}

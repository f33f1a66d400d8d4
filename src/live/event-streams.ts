// Opens the bodies of event streams. The service implements it; requests use it through their context.
import type { Identity } from '../auth/authenticate.ts';
import type { HttpRequest } from '../contract/http.ts';
import type { BodyStream } from '../contract/body-stream.ts';
import type { CancelSignal } from '../contract/cancel-signal.ts';
import type { Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';

export interface EventStreams {
  /**
   * Opens a stream of the notifications on these channels. Resolves when the database listens to all of them.
   * @param claimsText of the identity; the stream ends when its token expires
   */
  openChannels(channels: readonly string[], claimsText: string): Promise<Result<BodyStream, ApiError>>;

  /**
   * Opens a stream of the rows that the request reads. Resolves when they have been read for the first time.
   * @param request asks for a stream of events, and was planned
   * @param signal aborts when the client disconnects
   */
  watch(
    request: HttpRequest,
    identity: Identity,
    signal: CancelSignal | undefined,
  ): Promise<Result<BodyStream, ApiError>>;
}

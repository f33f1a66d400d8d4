// Opens the bodies of event streams. The service implements it; requests use it through their context.
import type { BodyStream } from '../contract/body-stream.ts';
import type { Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';

export interface EventStreams {
  /**
   * Opens a stream of the notifications on these channels. Resolves when the database listens to all of them.
   * @param claimsText of the identity; the stream ends when its token expires
   */
  openChannels(channels: readonly string[], claimsText: string): Promise<Result<BodyStream, ApiError>>;
}

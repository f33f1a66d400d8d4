// What a page knows of a stream of events.
import type { ServerError } from '../client/server-error.ts';

export type StreamError = Pick<ServerError, 'code' | 'message' | 'details' | 'hint'>;

export type StreamState =
  | { readonly kind: 'connecting' | 'live' }
  /** Without an error, the connection is lost. */
  | { readonly kind: 'reconnecting'; readonly error?: StreamError | undefined }
  | { readonly kind: 'ended'; readonly error: StreamError };

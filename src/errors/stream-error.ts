// Why a stream of events is refused, or ends.
export type StreamError =
  /** A live response has more rows than the server watches. */
  | { readonly kind: 'tooManyLiveRows'; readonly maximum: number; readonly option: string }
  /** A live response has more bytes than the memory of all can take. */
  | { readonly kind: 'liveRowsTooLong'; readonly maxBytes: number; readonly option: string }
  /** A read depends on something whose changes the server cannot see. */
  | { readonly kind: 'notWatchable'; readonly details: string }
  /** A function names a channel that streams cannot listen to. */
  | { readonly kind: 'channelRefused'; readonly reason: string };

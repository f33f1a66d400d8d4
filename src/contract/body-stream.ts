// A body streamed from the database's socket to the client's, no faster than the client reads it.

export interface BodySink {
  /** @returns whether the sink accepts more now; if not, it calls `resume` once it does */
  take(piece: Uint8Array): boolean;
  /** Called when the body is complete. */
  end(): void;
  /** Called when the rest of the body will not arrive. The client must notice that the response is incomplete. */
  fail(): void;
}

/** May hold a database connection or shared memory until it is read to its end or cancelled. */
export interface BodyStream {
  /** Length in bytes, if known before the end. */
  readonly byteLength: number | undefined;
  /** Set if the body ends only when the client disconnects, so that this is no failure. */
  readonly isEndless?: true;
  /** Why the stream broke off; `undefined` unless it failed. */
  readonly failure: unknown;
  /** Starts reading. Call it once. */
  read(sink: BodySink): void;
  resume(): void;
  /** Frees the memory of a taken piece for reuse. Do not call it for pieces that you keep. */
  release(piece: Uint8Array): void;
  /** Discards the rest and calls `fail` of the sink, if it is being read. Has no effect after the end. */
  cancel(): void;
}

export function isStream(body: Uint8Array | BodyStream | undefined): body is BodyStream {
  return body !== undefined && !(body instanceof Uint8Array);
}

// A body that is sent while it comes: from the database's socket to the client's, no faster than the client takes it.

export interface BodySink {
  /** @returns whether more is wanted at once; otherwise the sink calls `resume` when it is */
  take(piece: Uint8Array): boolean;
  /** All of it has been taken. */
  end(): void;
  /** The rest does not come: what has been taken must not pass for the whole. */
  fail(): void;
}

/** Holds a connection to the database. Whoever gets one has it read or cancels it. */
export interface BodyStream {
  /** Bytes; undefined: not known before the end. */
  readonly byteLength: number | undefined;
  /** Why the rest does not come; undefined as long as nothing has failed. */
  readonly failure: unknown;
  /** To be called once. */
  read(sink: BodySink): void;
  resume(): void;
  /** Nobody reads a piece any more that was taken, so its memory may be used again. Who keeps pieces does not call this. */
  release(piece: Uint8Array): void;
  /** Nobody wants the rest. Without effect after the end. */
  cancel(): void;
}

export function isStream(body: Uint8Array | BodyStream | undefined): body is BodyStream {
  return body !== undefined && !(body instanceof Uint8Array);
}

// The interface of readers, which convert the rows of one main statement into a result. It separates the transaction,
// which knows when rows arrive, from the deliveries, which know what the rows mean.
import type { Result } from '../../contract/result.ts';
import type { DbOutcome, ScriptResult } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { BodyMemory } from '../stream/body-memory.ts';
import type { StreamedBody, StreamStart } from '../stream/streamed-body.ts';
import type { ServerMessage } from '../wire/decoder.ts';
import type { ColumnValue } from '../wire/read-message.ts';

/** The script that a reader belongs to. */
export interface ReaderHost {
  /** Whether the body may be sent while it arrives. */
  readonly mayStream: boolean;
  /**
   * Whether read buffers may be reused immediately: other scripts of the same write keep references to received data.
   */
  readonly ownsSession: boolean;
  /** Memory for long bodies that cannot be streamed. */
  readonly memory: BodyMemory;
  /** @returns whether the response may start early and a connection can be spared for it */
  tryAcquirePermit(): boolean;
  /** Starts the response before the transaction is over. @returns undefined if the response must be buffered */
  startAnswer(outcome: DbOutcome, start: StreamStart): StreamedBody | undefined;
  /** Call if a row is malformed or has unexpected columns. */
  refuseRow(): void;
  /** Call if there is no memory for the body. The response is an error, so its statement may stop. */
  overflow(error: ApiError): void;
}

export interface ResultReader {
  /** Takes the names of the columns before the rows. @returns whether the message is well-formed */
  nameColumns?(message: ServerMessage): boolean;
  /** @returns whether the row is well-formed */
  addRow(message: ServerMessage): boolean;
  /**
   * Called when a long row begins.
   *
   * @param size in bytes
   * @returns a callback that takes the row in pieces; undefined to receive it whole
   */
  takeLong?(size: number): ((piece: Buffer) => void) | undefined;
  /**
   * @param remaining bytes that are missing of a long row; 0 if there is none
   * @returns the buffer for the next read; undefined if the reader keeps references to received data
   */
  provideBuffer?(remaining: number): Buffer | undefined;
  /** Takes the row of the planned count, which precedes the rows of a body and follows a single value. */
  addPlan?(columns: readonly ColumnValue[]): void;
  /** Called after the last row. @param message the CommandComplete */
  end?(message: ServerMessage): void;
  /** Called when the transaction is over and the result is not used: frees buffered data. */
  abandon?(): void;
  /** The result, valid after the end of the transaction. */
  readonly result: Result<ScriptResult, ApiError>;
  /** Whether the general statement has to run instead. */
  readonly needsFallback?: boolean;
}

// How the rows of one main statement become a result: the seam between a transaction, which knows when rows come, and the
// forms of delivery, which know what they are.
import type { Result } from '../../contract/result.ts';
import type { ScriptResult } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { BodyMemory } from '../stream/body-memory.ts';
import type { EarlyAnswer } from '../stream/early-answer.ts';
import type { ServerMessage } from '../wire/decoder.ts';
import type { ColumnValue } from '../wire/read-message.ts';

export interface ReaderOptions {
  /** Gives the answer before the transaction is over, where it may. */
  readonly answer: EarlyAnswer;
  /** Where long answers are held that cannot leave early. */
  readonly memory: BodyMemory;
  readonly hasPlannedCount: boolean;
  /** A row contradicts its own lengths, or has other columns. */
  readonly onFault: () => void;
  /** There is no room for the answer, which comes to nothing: its statement need not go on. */
  readonly onRefused: (error: ApiError) => void;
}

export interface ResultReader {
  /** Takes the names of the columns, which precede the rows. @returns whether the message is well-formed */
  nameColumns?(message: ServerMessage): boolean;
  /** @returns whether the row is well-formed */
  addRow(message: ServerMessage): boolean;
  /**
   * A long row has begun.
   *
   * @param size bytes
   * @returns what takes its bytes as they come; undefined: it is to come whole
   */
  takeLong?(size: number): ((piece: Buffer) => void) | undefined;
  /**
   * @param left bytes still to come of a long row; 0: there is none
   * @returns where they are to be read; undefined: anywhere, because they are kept where they were read
   */
  offerRoom?(left: number): Buffer | undefined;
  /** Takes the row of the planned count, which comes before the rows of a body and behind a single value. */
  addPlan?(columns: readonly ColumnValue[]): void;
  /** The last row has come. */
  end?(): void;
  /** The transaction is over: gives back what is held of a result that is not wanted. */
  abandon?(): void;
  /** What the rows gave, behind the end of the transaction. */
  readonly result: Result<ScriptResult, ApiError>;
  /** The general statement has to run instead. */
  readonly needsFallback?: boolean;
}

// Runs one statement of a developer and keeps a limited part of its result, whatever its size. The extended protocol
// accepts a single statement per text, so nothing can be appended to it.
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import type { ServerMessage } from '../../src/postgres/wire/decoder.ts';
import { encodeLimited } from '../../src/postgres/wire/encoder.ts';
import {
  COMMAND_COMPLETE,
  DATA_ROW,
  PORTAL_SUSPENDED,
  READY_FOR_QUERY,
  ROW_DESCRIPTION,
} from '../../src/postgres/wire/message-type.ts';
import {
  readCommandTag,
  readResultColumns,
  type ResultColumn,
  type ServerError,
} from '../../src/postgres/wire/read-message.ts';
import { ReceivedRow } from '../../src/postgres/wire/received-row.ts';
import { toDatabaseError } from '../../src/postgres/session/connection-fault.ts';
import type { Exchange } from '../../src/postgres/session/exchange.ts';
import type { TextRow } from '../../src/postgres/session/query.ts';
import type { Session } from '../../src/postgres/session/session.ts';

export interface ResultLimits {
  readonly maxRows: number;
  /** Rows beyond it are dropped, and so is each row of more than 256 kB. */
  readonly maxBytes: number;
}

export interface LimitedResult {
  /** `INSERT 0 5`; undefined if the limit ended the result. */
  readonly command: string | undefined;
  /** Undefined if the statement returns no rows. */
  readonly columns: readonly ResultColumn[] | undefined;
  readonly rows: readonly TextRow[];
  /** Whether rows are missing. */
  readonly isCut: boolean;
  /** Size of the rows as they arrived. */
  readonly bytes: number;
  /** Whether the transaction is still open. */
  readonly isInTransaction: boolean;
}

export interface LimitedFailure {
  readonly error: ApiError;
  /** In the text, in characters counted from 1. */
  readonly position: number | undefined;
}

export type LimitedReply = Result<LimitedResult, LimitedFailure>;

export function queryLimited(session: Session, text: string, limits: ResultLimits): Promise<LimitedReply> {
  return new Promise((resolve) => {
    session.send(encodeLimited(text, limits.maxRows), new LimitedRun({ session, settle: resolve, limits }));
  });
}

interface LimitedRunOptions {
  readonly session: Session;
  readonly settle: (reply: LimitedReply) => void;
  readonly limits: ResultLimits;
}

/** Transaction status of ReadyForQuery: in a transaction that has not failed. */
const IN_TRANSACTION = 0x54;

class LimitedRun implements Exchange {
  readonly #options: LimitedRunOptions;
  readonly #rows: TextRow[] = [];
  #bytes = 0;
  #isCut = false;
  #columns: readonly ResultColumn[] | undefined;
  #command: string | undefined;
  #failure: LimitedFailure | undefined;

  constructor(options: LimitedRunOptions) {
    this.#options = options;
  }

  receive(message: ServerMessage): void {
    switch (message.type) {
      case ROW_DESCRIPTION:
        this.#columns = readResultColumns(message);
        return;
      case DATA_ROW:
        return this.#takeRow(message);
      case PORTAL_SUSPENDED:
        this.#isCut = true;
        return;
      case COMMAND_COMPLETE:
        this.#command = readCommandTag(message);
        return;
      case READY_FOR_QUERY:
        this.#options.session.endExchange();
        return this.#options.settle(this.#conclude(message.bytes.readUInt8(message.start) === IN_TRANSACTION));
    }
  }

  /** Drops a long row piece by piece, so that it never is in memory as a whole. */
  receiveLong(type: number): ((piece: Buffer) => void) | undefined {
    if (type !== DATA_ROW) return undefined;
    this.#isCut = true;
    return () => undefined;
  }

  refuse(error: ServerError): void {
    this.#failure ??= {
      error: toDatabaseError(error, { isPreparing: false, isInternal: false }),
      position: error.position,
    };
  }

  lose(details: string): void {
    const lost = { error: { kind: 'connectionLost', details }, position: undefined } as const;
    this.#options.settle(fail(this.#failure ?? lost));
  }

  #takeRow(message: ServerMessage): void {
    const { session, limits } = this.#options;
    const bytes = this.#bytes + message.end - message.start;
    this.#isCut ||= bytes > limits.maxBytes;
    if (this.#isCut) return;
    this.#bytes = bytes;
    const row = ReceivedRow.read(message);
    if (row === undefined) return session.destroy('the database server sent a malformed row');
    this.#rows.push(row.decode());
  }

  #conclude(isInTransaction: boolean): LimitedReply {
    if (this.#failure !== undefined) return fail(this.#failure);
    const [columns, command, isCut, bytes] = [this.#columns, this.#command, this.#isCut, this.#bytes];
    return ok({ command, columns, rows: this.#rows, isCut, bytes, isInTransaction });
  }
}

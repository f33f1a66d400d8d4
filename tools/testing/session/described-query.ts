// Runs one statement and returns its columns and rows.
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import type { ParameterValue } from '../../../src/contract/transaction.ts';
import type { ApiError } from '../../../src/errors/api-error.ts';
import { toDatabaseError } from '../../../src/postgres/session/connection-fault.ts';
import type { Exchange } from '../../../src/postgres/session/exchange.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import type { ServerMessage } from '../../../src/postgres/wire/decoder.ts';
import { encodeMessages } from '../../../src/postgres/wire/encoder.ts';
import { DATA_ROW, READY_FOR_QUERY, ROW_DESCRIPTION } from '../../../src/postgres/wire/message-type.ts';
import { readResultColumns, type ResultColumn, type ServerError } from '../../../src/postgres/wire/read-message.ts';
import { ReceivedRow } from '../../../src/postgres/wire/received-row.ts';

export interface DescribedRows {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
}

export type DescribedReply = Result<DescribedRows, ApiError>;

/** Errors: `database`, `connectionLost`. */
export function queryDescribed(
  session: Session,
  text: string,
  parameters: readonly ParameterValue[],
): Promise<DescribedReply> {
  const call = { name: '', text, parameters, resultFormat: 'text', isDescribed: true } as const;
  return new Promise((resolve) => session.send(encodeMessages([], [call]), new DescribedRun(session, resolve)));
}

class DescribedRun implements Exchange {
  readonly #session: Session;
  readonly #settle: (reply: DescribedReply) => void;
  readonly #rows: (readonly (string | null)[])[] = [];
  #columns: readonly ResultColumn[] = [];
  #failure: ApiError | undefined;

  constructor(session: Session, settle: (reply: DescribedReply) => void) {
    this.#session = session;
    this.#settle = settle;
  }

  receive(message: ServerMessage): void {
    if (message.type === ROW_DESCRIPTION) {
      this.#columns = readResultColumns(message) ?? [];
    } else if (message.type === DATA_ROW) {
      this.#rows.push(ReceivedRow.read(message)?.decode() ?? []);
    } else if (message.type === READY_FOR_QUERY) {
      this.#session.endExchange();
      this.#settle(
        this.#failure === undefined ? ok({ columns: this.#columns, rows: this.#rows }) : fail(this.#failure),
      );
    }
  }

  refuse(error: ServerError): void {
    this.#failure ??= toDatabaseError(error, { isPreparing: false, isInternal: false });
  }

  lose(details: string): void {
    this.#settle(fail(this.#failure ?? { kind: 'connectionLost', details }));
  }
}

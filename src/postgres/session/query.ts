// Runs internal statements (catalog, configuration, probes) and returns their rows as text. The statements are unnamed,
// so they work behind every pooler.
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ParameterValue } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { toDatabaseError } from './connection-fault.ts';
import type { Exchange } from './exchange.ts';
import type { Session } from './session.ts';
import type { ServerMessage } from '../wire/decoder.ts';
import { encodeSimpleQuery } from '../wire/control-messages.ts';
import { encodeMessages } from '../wire/encoder.ts';
import { DATA_ROW, READY_FOR_QUERY } from '../wire/message-type.ts';
import type { ServerError } from '../wire/read-message.ts';
import { ReceivedRow } from '../wire/received-row.ts';

export type TextRow = readonly (string | null)[];
export type QueryReply = Result<readonly TextRow[], ApiError>;
/** Rows whose values are decoded on demand. */
export type LazyQueryReply = Result<readonly ReceivedRow[], ApiError>;

/** Runs one statement of the transaction. */
export type TransactionQuery = (text: string, parameters?: readonly ParameterValue[]) => Promise<QueryReply>;

/** Runs one statement in its own transaction, unless one is open. Errors: `database`, `connectionLost`. */
export async function query(
  session: Session,
  text: string,
  parameters: readonly ParameterValue[] = [],
): Promise<QueryReply> {
  const reply = await queryLazily(session, text, parameters);
  return reply.ok ? ok(reply.value.map((row) => row.decode())) : reply;
}

/** Like `query`, for large results: decoding all rows as they arrive would block the event loop. */
export function queryLazily(
  session: Session,
  text: string,
  parameters: readonly ParameterValue[] = [],
): Promise<LazyQueryReply> {
  return new Promise((resolve) => {
    const call = { name: '', text, parameters, resultFormat: 'text', isDescribed: false } as const;
    const messages = session.isReplicating ? [encodeSimpleQuery(text)] : encodeMessages([], [call]);
    session.send(messages, new QueryRun(session, resolve));
  });
}

/**
 * Runs `work` in a read-only transaction with a single snapshot. Settings that functions change are undone with the
 * transaction.
 */
export async function readInTransaction<T>(
  session: Session,
  work: (query: TransactionQuery) => Promise<Result<T, ApiError>>,
): Promise<Result<T, ApiError>> {
  const begun = await query(session, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  if (!begun.ok) return begun;
  try {
    const result = await work((text, parameters) => query(session, text, parameters));
    const ended = await query(session, 'ROLLBACK');
    if (!ended.ok) session.taint();
    return result.ok && !ended.ok ? ended : result;
  } catch (error) {
    session.destroy('the transaction was abandoned');
    throw error;
  }
}

class QueryRun implements Exchange {
  readonly #session: Session;
  readonly #settle: (reply: LazyQueryReply) => void;
  readonly #rows: ReceivedRow[] = [];
  #failure: ApiError | undefined;

  constructor(session: Session, settle: (reply: LazyQueryReply) => void) {
    this.#session = session;
    this.#settle = settle;
  }

  receive(message: ServerMessage): void {
    if (message.type === DATA_ROW) {
      const row = ReceivedRow.read(message);
      if (row === undefined) return this.#session.destroy('the database server sent a malformed row');
      this.#rows.push(row);
    } else if (message.type === READY_FOR_QUERY) {
      this.#session.endExchange();
      this.#settle(this.#failure === undefined ? ok(this.#rows) : fail(this.#failure));
    }
  }

  refuse(error: ServerError): void {
    this.#failure ??= toDatabaseError(error, { isPreparing: false, isInternal: false });
  }

  lose(details: string): void {
    this.#settle(fail(this.#failure ?? { kind: 'connectionLost', details }));
  }
}

// Opens sessions and pools to the PostgreSQL of the test run.
import { PRODUCT } from '../../../src/contract/product.ts';
import type { Result } from '../../../src/contract/result.ts';
import type { DbOutcome } from '../../../src/contract/transaction.ts';
import { connect, type ConnectOptions } from '../../../src/postgres/session/open-session.ts';
import { query, type TextRow } from '../../../src/postgres/session/query.ts';
import type { ScriptReply } from '../../../src/postgres/session/script-reply.ts';
import type { Session } from '../../../src/postgres/session/session.ts';

export function connectOptions(connectionString: string, changes: Partial<ConnectOptions> = {}): ConnectOptions {
  return { connectionString, environment: {}, product: PRODUCT, isPreparing: true, ...changes };
}

export async function openSession(uri: string, changes: Partial<ConnectOptions> = {}): Promise<Session> {
  return valueOf(await connect(connectOptions(uri, changes)));
}

export async function rowsOf(
  session: Session,
  sql: string,
  parameters: readonly string[] = [],
): Promise<readonly TextRow[]> {
  return valueOf(await query(session, sql, parameters));
}

export function valueOf<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/** Returns the body of an outcome as text. */
export function bodyOf(reply: ScriptReply): string | undefined {
  const { body } = outcomeOf(reply);
  return body instanceof Uint8Array ? Buffer.from(body).toString() : undefined;
}

export function outcomeOf(reply: ScriptReply): DbOutcome {
  const [result] = valueOf(reply);
  if (result.kind !== 'outcome') throw new Error('expected an outcome');
  return result.outcome;
}

// Connections to the cluster of the tests, and the SQL of the testing tools themselves, whose failures end a test.
import { PRODUCT } from '../../../src/contract/product.ts';
import type { ParameterValue } from '../../../src/contract/transaction.ts';
import type { ApiError } from '../../../src/errors/api-error.ts';
import { connect } from '../../../src/postgres/session/open-session.ts';
import { query, type TextRow } from '../../../src/postgres/session/query.ts';
import type { Session } from '../../../src/postgres/session/session.ts';

/** Statements are sent unnamed: a test runs few of them twice. Throws a `SqlError`. */
export async function openSuperuser(uri: string): Promise<Session> {
  const opened = await connect({ connectionString: uri, environment: {}, product: PRODUCT, isPreparing: false });
  if (!opened.ok) throw new SqlError(opened.error);
  return opened.value;
}

/** Throws a `SqlError`. */
export async function runSql(
  session: Session,
  text: string,
  parameters: readonly ParameterValue[] = [],
): Promise<readonly TextRow[]> {
  const reply = await query(session, text, parameters);
  if (!reply.ok) throw new SqlError(reply.error);
  return reply.value;
}

/** An error of the database, with the fields that its driver would give. */
export class SqlError extends Error {
  override readonly name = 'SqlError';
  /** The SQLSTATE; undefined if the connection failed. */
  readonly code: string | undefined;
  readonly detail: string | undefined;
  readonly hint: string | undefined;

  constructor(error: ApiError) {
    super(describe(error));
    const report = error.kind === 'database' ? error.report : undefined;
    this.code = report?.sqlstate;
    this.detail = report?.detail;
    this.hint = report?.hint;
  }
}

function describe(error: ApiError): string {
  if (error.kind === 'database') return error.report.message;
  return 'details' in error && typeof error.details === 'string' ? error.details : error.kind;
}

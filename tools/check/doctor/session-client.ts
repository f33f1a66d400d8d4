// Lets lints and probes run on a connection of the server's pool, as which the server sees the database.
import type { ApiError } from '../../../src/errors/api-error.ts';
import { query } from '../../../src/postgres/session/query.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import { renderArrayLiteral } from '../../../src/sql/text/array-literal.ts';
import type { Client } from '../probes/statements.ts';

/** A statement failed, or the connection is lost. */
export class StatementFailure extends Error {
  readonly reason: ApiError;
  /** The SQLSTATE, as in errors of the driver. */
  readonly code: string | undefined;

  constructor(reason: ApiError) {
    super(reason.kind);
    this.reason = reason;
    this.code = reason.kind === 'database' ? reason.report.sqlstate : undefined;
  }
}

/** The client rejects with a `StatementFailure`. Parameters are texts or lists of texts. */
export function createClient(session: Session): Client {
  return {
    query: async (text, values = []) => {
      const isRead = /^\s*(?:select|with)\b/iu.test(text);
      const statement = isRead ? `SELECT pg_catalog.to_json(found)::text FROM (${text}) AS found` : text;
      const reply = await query(session, statement, values.map(renderParameter));
      if (!reply.ok) throw new StatementFailure(reply.error);
      const rows = isRead ? reply.value.map(([json]) => JSON.parse(json ?? 'null')) : [];
      return { rows, rowCount: rows.length };
    },
  };
}

function renderParameter(value: unknown): string | null {
  return Array.isArray(value) ? renderArrayLiteral(value.map(String)) : typeof value === 'string' ? value : null;
}

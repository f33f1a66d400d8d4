// Says why PostgreSQL did not accept a connection, in one sentence, and what to do.
import type { Client } from 'pg';

/** The connection could not be opened. Its message contains neither the URI nor the password. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
  readonly hint: string;

  constructor({ message, hint }: Refusal, cause?: unknown) {
    super(message, { cause });
    this.hint = hint;
  }
}

export interface Refusal {
  readonly message: string;
  readonly hint: string;
}

/** Without a password, the driver refuses SCRAM, and answers other methods with an empty one. */
const PASSWORD_MISSING = /client password must be a/u;
const PASSWORD_REJECTED = '28P01';
/** Prefix of the SQLSTATEs and messages of a server that is there. */
const ACCESS_REFUSED = '28';
const DATABASE_MISSING = '3D000';

/** @param cause the driver's error */
export function describeRefusal({ host, port, user = '', database = '', password }: Client, cause: unknown): Refusal {
  const server = `PostgreSQL at ${host}:${port}`;
  const reason = readReason(cause);
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const hasNone = password === undefined || password === null || password === '';
  if (PASSWORD_MISSING.test(reason) || (hasNone && code === PASSWORD_REJECTED))
    return {
      message: `${server} asks for the password of ${user}, and the URI contains none.`,
      hint: 'Write postgres://USER:PASSWORD@HOST/DATABASE, or set PGPASSWORD.',
    };
  if (code === PASSWORD_REJECTED)
    return {
      message: `${server} rejected the password of ${user}.`,
      hint: 'Correct it in the URI, where characters such as @ : / ? # % must be percent-encoded.',
    };
  if (code === DATABASE_MISSING)
    return { message: `${server} has no database ${database}.`, hint: 'Create it, or correct the URI.' };
  if (code.startsWith(ACCESS_REFUSED))
    return { message: `${server} refused the connection: ${reason}.`, hint: 'Correct the URI, or pg_hba.conf.' };
  return {
    message: `Cannot connect to ${server}: ${reason}.`,
    hint: 'Check the host and the port of the URI, and whether the server runs.',
  };
}

/** Joins the errors of an attempt that tried several addresses. */
function readReason(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(readReason).join(', ');
  return cause instanceof Error ? cause.message : String(cause);
}

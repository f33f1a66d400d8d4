// Checks whether an open session is of the requested kind.
// https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNECT-TARGET-SESSION-ATTRS
import { assertNever } from '../../contract/result.ts';
import type { TargetSession } from '../connect/connection-settings.ts';
import { query } from './query.ts';
import type { Session } from './session.ts';

export type SessionKind = Exclude<TargetSession, 'prefer-standby'>;

/** Returns the kinds to look for, in order; all hosts are tried for each. */
export function listSessionKinds(target: TargetSession): readonly SessionKind[] {
  return target === 'prefer-standby' ? ['standby', 'any'] : [target];
}

/** Returns why the session is not of that kind, or `undefined` if it is. */
export async function checkTargetSession(session: Session, kind: SessionKind): Promise<string | undefined> {
  if (kind === 'any') return undefined;
  const reply = await query(
    session,
    `SELECT pg_catalog.pg_is_in_recovery(), pg_catalog.current_setting('transaction_read_only') = 'on'`,
  );
  if (!reply.ok) return reply.error.kind === 'database' ? reply.error.report.message : 'the connection was lost';
  const [isStandby, isReadOnly] = reply.value[0]?.map((column) => column === 't') ?? [];
  switch (kind) {
    case 'read-write':
      return isReadOnly ? 'the session is read-only' : undefined;
    case 'read-only':
      return isReadOnly ? undefined : 'the session is not read-only';
    case 'primary':
      return isStandby ? 'the server is a standby' : undefined;
    case 'standby':
      return isStandby ? undefined : 'the server is not a standby';
    default:
      return assertNever(kind);
  }
}

// Checks the login role, which should have no privileges of its own, and finds superusers among the roles of requests.
import type { TextRow } from '../../../src/config/resolve/in-database.ts';
import { quoteIdentifier } from '../../../src/contract/identifiers.ts';
import type { Check, Finding } from './check.ts';

/** Why fixes of login roles are not applied by a migration. */
const TAKES_RIGHTS = 'an operator or another program may log in as this role, and would lose rights.';

export const SUPERUSERS: Check = {
  query: `
SELECT known.name, known.name = session_user FROM known WHERE known.rolsuper ORDER BY known.name`,
  read: (rows) => rows.map(describeSuperuser),
};

function describeSuperuser([name, isLogin]: TextRow): Finding {
  const object = name ?? '';
  return {
    severity: 'error',
    code: isLogin === 't' ? 'login-superuser' : 'role-superuser',
    object,
    why: `Privileges and policies do not restrict superusers, and ${isLogin === 't' ? 'the server logs in as this role' : 'a token may name this role'}.`,
    mend: `ALTER ROLE ${quoteIdentifier(object)} NOSUPERUSER;\n-- To keep it a superuser: CREATE ROLE another LOGIN NOINHERIT, and use that role in db-uri.`,
    caution: TAKES_RIGHTS,
  };
}

export const BYPASSING_LOGIN: Check = {
  query: `
SELECT name FROM login WHERE rolbypassrls AND NOT rolsuper`,
  read: (rows) =>
    rows.map(([name]) => ({
      severity: 'error',
      code: 'login-bypasses-row-security',
      object: name ?? '',
      why: 'Policies do not apply to the role that the server logs in as, and a token may name that role.',
      mend: `ALTER ROLE ${quoteIdentifier(name ?? '')} NOBYPASSRLS;`,
      caution: TAKES_RIGHTS,
    })),
};

/** Since PostgreSQL 16, each membership specifies whether its privileges are inherited. */
export const INHERITING_LOGIN: Check = {
  query: `
SELECT login.name, role.rolname, pg_catalog.to_jsonb(membership) ? 'inherit_option'
FROM login
JOIN pg_catalog.pg_auth_members AS membership ON membership.member = login.oid
JOIN pg_catalog.pg_roles AS role ON role.oid = membership.roleid
WHERE NOT login.rolsuper
  AND coalesce((pg_catalog.to_jsonb(membership) ->> 'inherit_option')::boolean, login.rolinherit)
ORDER BY role.rolname`,
  read: (rows) => {
    const [name] = rows[0] ?? [];
    return typeof name === 'string' ? [describeInheriting(name, rows)] : [];
  },
};

function describeInheriting(login: string, rows: readonly TextRow[]): Finding {
  const name = quoteIdentifier(login);
  const memberships = rows
    .filter(([, , isByMembership]) => isByMembership === 't')
    .map(([, role]) => `\nGRANT ${quoteIdentifier(role ?? '')} TO ${name} WITH INHERIT FALSE;`);
  return {
    severity: 'warning',
    code: 'login-inherits',
    object: login,
    why: `The login role has the privileges of ${rows.map(([, role]) => role).join(', ')} without switching to them.`,
    mend: `ALTER ROLE ${name} NOINHERIT;${memberships.join('')}`,
    caution: TAKES_RIGHTS,
  };
}

// Runs `roles.sql` in a cluster (`project.md` §1 item 3). Roles that exist are kept; a difference of their attributes is
// reported, and so are statements that belong in the schema.
import { escapeIdentifier } from 'pg';
import { fail, ok, type Result } from '../../../src/contract/result.ts';
import type { SqlClient } from '../../embedded/script/sql-session.ts';
import { CREATE_ROLE, readCreatedRole } from '../folder/project-roles.ts';
import { problemOf, renderProblem, type Problem } from '../folder/problem.ts';
import type { Project, SourceFile } from '../folder/read-project.ts';
import { locateError, refuse, splitFile, type Statement } from './statement.ts';

/** `all`: also memberships, settings and other statements, each time. `missing`: only roles that do not exist. */
export type RolesMode = 'all' | 'missing';

/** Privileges on objects of a database. */
const SCHEMA_PRIVILEGES =
  /^(?:(?:grant|revoke)\b[^]*\son\s+(?!database\b|tablespace\b|parameter\b)|alter\s+default\s+privileges\b)/iu;
/** The name of a role that exists only until the end of a savepoint. */
const PROBE = 'rowhouse_role_probe';
const ATTRIBUTES = [
  'rolsuper',
  'rolinherit',
  'rolcreaterole',
  'rolcreatedb',
  'rolcanlogin',
  'rolreplication',
  'rolbypassrls',
  'rolconnlimit',
  'rolvaliduntil',
] as const;

/** @returns notes, such as differences from roles that exist already; or what is wrong, and nothing has changed */
export async function runRoles(
  client: SqlClient,
  file: SourceFile,
  mode: RolesMode,
): Promise<Result<readonly string[], Problem>> {
  const differences: string[] = [];
  await client.query('begin');
  for (const statement of splitFile(file)) {
    const ran = await runStatement(client, statement, mode);
    if (!ran.ok) {
      await client.query('rollback');
      return ran;
    }
    differences.push(...ran.value);
  }
  await client.query('commit');
  return ok(differences);
}

/**
 * Finds a role that a schema file creates in a way that cannot be seen in its text, such as in a DO block. The shadow would
 * hold its lock for good.
 *
 * @param sessions in the same cluster; the files have run in the open transaction of one of them
 */
export async function findMisplacedRole(
  { schema }: Pick<Project, 'schema'>,
  dev: SqlClient,
  shadow: SqlClient,
): Promise<Problem | undefined> {
  const made = await listRoles(shadow);
  const known = new Set(await listRoles(dev));
  const role = made.find((name) => !known.has(name));
  if (role === undefined) return undefined;
  const file = schema.find(({ text }) => text.includes(role));
  return problemOf(file?.path, `a schema file creates the role ${escapeIdentifier(role)}`, 'Move it to roles.sql.');
}

/** Returns the names of all roles of the cluster. */
export async function listRoles(client: SqlClient): Promise<readonly string[]> {
  const { rows } = await client.query<{ rolname: string }>('select rolname from pg_catalog.pg_roles');
  return rows.map(({ rolname }) => rolname);
}

async function runStatement(
  client: SqlClient,
  statement: Statement,
  mode: RolesMode,
): Promise<Result<readonly string[], Problem>> {
  const { part } = statement;
  if (part.kind !== 'statement') return fail(refuse(statement, 'only statements run in roles.sql'));
  const name = readCreatedRole(part.text);
  try {
    if (name !== undefined && (await listRoles(client)).includes(name))
      return ok(await compareRole(client, statement, part.text, name));
    if (name !== undefined || mode === 'all') await client.query(part.text);
    return ok(SCHEMA_PRIVILEGES.test(part.text) ? [renderMisplaced(statement)] : []);
  } catch (error) {
    return fail(locateError(statement, error));
  }
}

function renderMisplaced(statement: Statement): string {
  const message = 'privileges on objects in roles.sql are part of no migration';
  return renderProblem(refuse(statement, message, 'Move it to a file in schema/.'));
}

/** Creates the role under another name for a moment, so that PostgreSQL itself reads the attributes. */
async function compareRole(
  client: SqlClient,
  statement: Statement,
  text: string,
  name: string,
): Promise<readonly string[]> {
  await client.query('savepoint probe');
  await client.query(text.replace(CREATE_ROLE, `$<head>${PROBE}`));
  const { rows } = await client.query<Record<string, unknown>>(
    `select rolname, ${ATTRIBUTES.join(', ')} from pg_catalog.pg_roles where rolname in ($1, $2)`,
    [name, PROBE],
  );
  await client.query('rollback to savepoint probe; release savepoint probe');
  const wanted = rows.find(({ rolname }) => rolname === PROBE);
  const found = rows.find(({ rolname }) => rolname === name);
  const different = ATTRIBUTES.filter(
    (attribute) =>
      String(wanted?.[attribute]) !== String(found?.[attribute]) &&
      // `init --live` gives it to the login role.
      !(attribute === 'rolreplication' && found?.[attribute] === true),
  );
  if (different.length === 0) return [];
  const attributes = different.map((attribute) => attribute.slice('rol'.length)).join(', ');
  const message = `the role ${escapeIdentifier(name)} exists with other attributes: ${attributes}`;
  return [renderProblem(refuse(statement, message, 'Change it with ALTER ROLE.'))];
}

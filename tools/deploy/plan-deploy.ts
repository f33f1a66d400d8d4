// What a database lacks of a project: itself, roles, the password of the login role, migrations.
import { randomBytes } from 'node:crypto';
import { DatabaseError } from 'pg';
import { fail, ok } from '../../src/contract/result.ts';
import { escapeLine } from '../../src/observe/escape-text.ts';
import { splitScript } from '../console/split-script.ts';
import { ConnectError } from '../embedded/script/connect-error.ts';
import { databaseOf, type SqlClient, withConnection, withDatabase } from '../embedded/script/sql-session.ts';
import { readLedger } from '../migrate/ledger.ts';
import { planMigration } from '../migrate/plan-migration.ts';
import type { Migration } from '../migrate/read-migrations.ts';
import { findCreatedRoles, readCreatedRole } from '../project/folder/project-roles.ts';
import { type Outcome, problemOf } from '../project/folder/problem.ts';
import type { SourceFile } from '../project/folder/read-project.ts';

/** The files of a project that concern a database in production. */
export interface Release {
  readonly roles: SourceFile | undefined;
  readonly migrations: readonly Migration[];
}

/** `set`: it has none, or another one than the one given. `unknown`: it exists, and nobody has given its password. */
export type PasswordState = 'set' | 'kept' | 'unknown';

export interface DeployPlan {
  /** `the database shop at db.example.com:5432 (PostgreSQL 15)` */
  readonly target: string;
  /** The role of the URI. */
  readonly owner: string;
  /** The database to create. */
  readonly database: string | undefined;
  /** Roles to create. */
  readonly roles: readonly string[];
  /** The role as which the server connects; undefined if `roles.sql` has none with LOGIN. */
  readonly login: { readonly role: string; readonly password: PasswordState } | undefined;
  /** Names of migrations to apply. */
  readonly migrations: readonly string[];
}

export function isNothingToDo({ database, roles, login, migrations }: DeployPlan): boolean {
  return database === undefined && roles.length + migrations.length === 0 && login?.password !== 'set';
}

/** @param password of the login role, if it was given */
export async function planDeploy(
  uri: string,
  release: Release,
  password: string | undefined,
): Promise<Outcome<DeployPlan>> {
  try {
    return await withConnection(uri, (client) => readPlan(client, release, uri, password, undefined));
  } catch (error) {
    if (!isDatabaseMissing(error)) throw error;
    const database = databaseOf(uri);
    const plan = await withConnection(withDatabase(uri, 'postgres'), (client) =>
      readPlan(client, release, uri, password, database),
    );
    return plan;
  }
}

const DATABASE_MISSING = '3D000';

function isDatabaseMissing(error: unknown): boolean {
  return error instanceof ConnectError && error.cause instanceof DatabaseError && error.cause.code === DATABASE_MISSING;
}

interface OwnerRow {
  readonly owner: string;
  readonly database: string;
  readonly version: number;
  readonly createsRoles: boolean;
  readonly createsDatabases: boolean;
}

const READ_OWNER = `select current_user as owner, current_database() as database,
  current_setting('server_version_num')::int / 10000 as version,
  rolsuper or rolcreaterole as "createsRoles", rolsuper or rolcreatedb as "createsDatabases"
from pg_catalog.pg_roles where rolname = current_user`;

/** @param database the database that does not exist */
async function readPlan(
  client: SqlClient,
  { roles: file, migrations }: Release,
  uri: string,
  password: string | undefined,
  database: string | undefined,
): Promise<Outcome<DeployPlan>> {
  const [row] = (await client.query<OwnerRow>(READ_OWNER)).rows;
  const owner = row?.owner ?? '';
  const wanted = file === undefined ? [] : findCreatedRoles(file);
  const known = await client.query<{ name: string; canLogin: boolean }>(
    `select rolname as name, rolcanlogin as "canLogin" from pg_catalog.pg_roles where rolname = any ($1)`,
    [wanted],
  );
  const existing = new Map(known.rows.map(({ name, canLogin }) => [name, canLogin]));
  const roles = [...new Set(wanted)].filter((role) => !existing.has(role));
  const problems = [
    ...(roles.length > 0 && row?.createsRoles === false
      ? [
          problemOf(
            file?.path,
            `the role ${owner} cannot create the roles ${roles.join(', ')}`,
            `As a superuser: alter role ${owner} createrole;`,
          ),
        ]
      : []),
    ...(database !== undefined && row?.createsDatabases === false
      ? [
          problemOf(
            undefined,
            `there is no database ${database}, and the role ${owner} cannot create it`,
            `As a superuser: create database ${database} owner ${owner};`,
          ),
        ]
      : []),
  ];
  if (problems.length > 0) return fail(problems);
  const planned = database === undefined ? planMigration(migrations, await readLedger(client)) : undefined;
  if (planned?.ok === false) return planned;
  const declared = file === undefined ? [] : findDeclaredLogins(file);
  const login = wanted.find((role) => existing.get(role) ?? declared.includes(role));
  const { host } = new URL(uri);
  return ok({
    target: `the database ${database ?? row?.database ?? ''}${host === '' ? '' : ` at ${host}`} (PostgreSQL ${row?.version ?? ''})`,
    owner,
    database,
    roles,
    login:
      login === undefined
        ? undefined
        : {
            role: login,
            password: existing.has(login) ? await comparePassword(client, uri, login, password) : 'set',
          },
    migrations:
      planned === undefined ? migrations.map(({ name }) => name) : planned.value.map(({ migration }) => migration.name),
  });
}

/** Returns the names of the roles that are created with LOGIN. */
function findDeclaredLogins(file: SourceFile): readonly string[] {
  return splitScript(file.text).flatMap((part) => {
    const name = part.kind === 'statement' ? readCreatedRole(part.text) : undefined;
    const canLogin =
      part.kind === 'statement' && (/^create\s+user\b/iu.test(part.text) || /\slogin\b/iu.test(part.text));
    return name !== undefined && canLogin ? [name] : [];
  });
}

/** A server that trusts its clients accepts any password: which one a role has cannot be seen there. */
async function comparePassword(
  client: SqlClient,
  uri: string,
  role: string,
  password: string | undefined,
): Promise<PasswordState> {
  if (await hasNoPassword(client, role)) return 'set';
  if (password === undefined) return 'unknown';
  const isAccepted = await canLogIn(createLoginUri(uri, role, password));
  const isTrusted = isAccepted && (await canLogIn(createLoginUri(uri, role, randomBytes(16).toString('hex'))));
  return isAccepted && !isTrusted ? 'kept' : 'set';
}

function canLogIn(uri: string): Promise<boolean> {
  return withConnection(uri, () => Promise.resolve(true)).catch(() => false);
}

/** Only superusers can see whether a role has a password. */
async function hasNoPassword(client: SqlClient, role: string): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `select pg_catalog.has_table_privilege('pg_catalog.pg_authid', 'select') as may`,
  );
  if (rows[0]?.may !== true) return false;
  const found = await client.query('select from pg_catalog.pg_authid where rolname = $1 and rolpassword is null', [
    role,
  ]);
  return found.rows.length > 0;
}

/** Returns the URI with another user. */
export function createLoginUri(uri: string, role: string, password: string): string {
  const url = new URL(uri);
  url.username = encodeURIComponent(role);
  url.password = encodeURIComponent(password);
  return url.href;
}

/** Renders the steps of a plan, or that there are none. */
export function renderPlan(folder: string, plan: DeployPlan): string {
  const { target, owner, database, roles, login, migrations } = plan;
  const steps = [
    ...(database === undefined ? [] : [`create the database ${database}`]),
    ...(roles.length === 0 ? [] : [`create ${roles.length === 1 ? 'the role' : 'the roles'} ${roles.join(', ')}`]),
    ...(login?.password === 'set' ? [`set the password of ${login.role}`] : []),
    ...migrations.map((name) => `apply the migration ${name}`),
  ];
  const head = `Deploy ${folder} to ${target}, as ${owner}:`;
  return `${[head, ...(steps.length === 0 ? ['nothing to do'] : steps).map((step) => `  ${step}`)].map(escapeLine).join('\n')}\n`;
}

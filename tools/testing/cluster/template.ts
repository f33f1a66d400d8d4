// The template database: what the files of a project describe. It is made again when a file has changed, and the databases
// of tests are copies of it.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { PRODUCT } from '../../../src/contract/product.ts';
import { quoteIdentifier } from '../../../src/contract/identifiers.ts';
import { withConnection, withDatabase } from '../../embedded/script/sql-session.ts';
import { renderProblem } from '../../project/folder/problem.ts';
import type { Project } from '../../project/folder/read-project.ts';
import { buildDatabase } from '../../project/run/build-database.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import { runSql } from '../sql/run-sql.ts';
import { END_BUILDING, START_BUILDING } from './cluster-rules.ts';
import type { ClusterMember } from './join-cluster.ts';

/** The comment of a template that is complete. */
const COMPLETE = 'complete';
const SEED_FOLDER = 'seed';

/** Returns the name of the template, which depends on the contents of the files. */
export async function nameTemplate(project: Project): Promise<string> {
  return `template_${await digestFiles(project)}`;
}

/**
 * Makes the template unless it exists. Throws what is wrong with the files, in a message for the user.
 *
 * @param name from `nameTemplate`
 */
export async function provideTemplate(member: ClusterMember, project: Project, name: string): Promise<void> {
  const { session } = member;
  if (await isComplete(session, name)) return;
  await runSql(session, START_BUILDING);
  try {
    // Another process may have made it meanwhile.
    if (!(await isComplete(session, name))) await buildTemplate(member, project, name);
  } finally {
    await runSql(session, END_BUILDING);
  }
}

/** The rows of `seed/` may come from files of any name. */
async function digestFiles({ root, schema, roles }: Project): Promise<string> {
  const hash = createHash('sha256').update(PRODUCT.version);
  for (const { path: file, text } of [...schema, ...(roles === undefined ? [] : [roles])])
    hash.update(JSON.stringify([file, text]));
  const seeds = await readdir(path.join(root, SEED_FOLDER), { recursive: true, withFileTypes: true }).catch(() => []);
  const files = seeds.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  for (const file of files.toSorted()) hash.update(path.relative(root, file)).update(await readFile(file));
  return hash.digest('hex').slice(0, 12);
}

async function isComplete(session: Session, name: string): Promise<boolean> {
  const rows = await runSql(
    session,
    `select from pg_catalog.pg_database where datname = $1 and shobj_description(oid, 'pg_database') = $2`,
    [name, COMPLETE],
  );
  return rows.length > 0;
}

async function buildTemplate({ uri, session }: ClusterMember, project: Project, name: string): Promise<void> {
  const quoted = quoteIdentifier(name);
  await removeFormer(session);
  await runSql(session, `drop database if exists ${quoted} with (force)`);
  await runSql(session, `create database ${quoted} template template0`);
  const built = await withConnection(withDatabase(uri, name), (inside) =>
    buildDatabase(project, inside, { roles: 'all', hasSeed: true }),
  );
  if (!built.ok) throw new Error(built.error.map(renderProblem).join('\n'));
  const { roleDifferences } = built.value;
  if (roleDifferences.length > 0)
    throw new Error(
      `Tests of former files still run, which use other roles. Run again after their end.\n${roleDifferences.join('\n')}`,
    );
  await runSql(session, `comment on database ${quoted} is '${COMPLETE}'`);
}

/** Removes what former files have made and no test uses, roles included: their attributes may have changed. */
async function removeFormer(session: Session): Promise<void> {
  const databases = await runSql(
    session,
    `select datname from pg_catalog.pg_database as d where datname ~ '^(template|test)_' and not exists (
       select from pg_catalog.pg_stat_activity as a where a.datname = d.datname)`,
  );
  for (const [name] of databases) await runSql(session, `drop database if exists ${quoteIdentifier(name ?? '')}`);
  const roles = await runSql(
    session,
    `select rolname from pg_catalog.pg_roles where rolname <> current_user and rolname !~ '^pg_'`,
  );
  // A role stays while a database of a running test contains something of it.
  for (const [name] of roles) await runSql(session, `drop role ${quoteIdentifier(name ?? '')}`).catch(() => undefined);
}

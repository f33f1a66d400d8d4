// Makes the template database from the files of a project, after removing what former files have made.
import { rmSync } from 'node:fs';
import { quoteIdentifier } from '../../../src/contract/identifiers.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import { withConnection, withDatabase } from '../../embedded/script/sql-session.ts';
import { errorOf } from '../../project/folder/problem.ts';
import type { Project } from '../../project/folder/read-project.ts';
import { buildDatabase } from '../../project/run/build-database.ts';
import { runSql } from '../sql/run-sql.ts';
import { COMPLETE, locateKeptApis } from './cluster-rules.ts';
import type { ClusterMember } from './join-cluster.ts';

/** Throws what is wrong with the files, in a message for the user. */
export async function buildTemplate({ uri, session }: ClusterMember, project: Project, name: string): Promise<void> {
  const quoted = quoteIdentifier(name);
  await removeFormer(session);
  rmSync(locateKeptApis(project.root), { recursive: true, force: true });
  await runSql(session, `drop database if exists ${quoted} with (force)`);
  await runSql(session, `create database ${quoted} template template0`);
  const built = await withConnection(withDatabase(uri, name), (inside) =>
    buildDatabase(project, inside, { roles: 'all', hasSeed: true }),
  );
  if (!built.ok) throw errorOf(built.error);
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

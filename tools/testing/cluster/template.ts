// The template database: what the files of a project describe. It is made again when a file has changed, and the databases
// of tests are copies of it.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { PRODUCT } from '../../../src/contract/product.ts';
import type { Project } from '../../project/folder/read-project.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import { runSql } from '../sql/run-sql.ts';
import { COMPLETE, END_BUILDING, START_BUILDING } from './cluster-rules.ts';
import type { ClusterMember } from './join-cluster.ts';

const SEED_FOLDER = 'seed';

/** Returns the name of the template, which depends on the contents of the files. */
export async function nameTemplate(project: Project): Promise<string> {
  return `template_${await digestFiles(project)}`;
}

/** A template is identified by its OID, since the objects of another one with the same name have other OIDs. */
export interface Template {
  readonly name: string;
  readonly oid: string;
}

/**
 * Makes the template unless it exists. Throws what is wrong with the files, in a message for the user.
 *
 * @param name from `nameTemplate`
 */
export async function provideTemplate(member: ClusterMember, project: Project, name: string): Promise<Template> {
  const { session } = member;
  const known = await findTemplate(session, name);
  if (known !== undefined) return known;
  const { buildTemplate } = await import('./build-template.ts');
  await runSql(session, START_BUILDING);
  try {
    // Another process may have made it meanwhile.
    const made = await findTemplate(session, name);
    if (made !== undefined) return made;
    await buildTemplate(member, project, name);
    const built = await findTemplate(session, name);
    if (built === undefined) throw new Error(`The template ${name} has been removed. Run the tests again.`);
    return built;
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

/** @returns undefined if there is none that is complete */
async function findTemplate(session: Session, name: string): Promise<Template | undefined> {
  const rows = await runSql(
    session,
    `select oid from pg_catalog.pg_database where datname = $1 and shobj_description(oid, 'pg_database') = $2`,
    [name, COMPLETE],
  );
  const oid = rows[0]?.[0];
  return typeof oid === 'string' ? { name, oid } : undefined;
}

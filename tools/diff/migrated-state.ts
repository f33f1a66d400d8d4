// The state that all migrations of a project together produce: they are applied, in order, to an empty database of a server
// with no other roles (`project.md` §3 item 1).
import { createHash } from 'node:crypto';
import { type Client, escapeIdentifier } from 'pg';
import { fail, ok } from '../../src/contract/result.ts';
import { PRODUCT } from '../../src/contract/product.ts';
import { ALONE, applyMigrations } from '../migrate/apply-migrations.ts';
import { describeSameNumbers, type Migration, readMigrations } from '../migrate/read-migrations.ts';
import type { SchemaDelta } from '../project/compare/schema-delta.ts';
import type { Outcome, Problem } from '../project/folder/problem.ts';
import type { Project } from '../project/folder/read-project.ts';
import { findCreatedRoles } from '../project/folder/project-roles.ts';
import { COMPARISON_PACKAGE } from '../support/comparison-package.ts';
import { readState } from './replica.ts';
import { listSettingsByHand, readRoleFacts, type RoleFacts } from './role-facts.ts';
import { DEFAULT_OWNER, type ScratchServer, withScratchCluster } from './scratch-server.ts';
import { findSnapshot, type TargetState } from './snapshot.ts';

/** @returns the state; or why the migrations cannot be read or applied */
export async function readMigratedState(
  project: Project,
  delta: SchemaDelta,
  scratch: ScratchServer,
): Promise<Outcome<TargetState>> {
  const migrations = await readMigrations(project.root);
  if (!migrations.ok) return migrations;
  const [version, empty] = await scratch.withNewDatabase(async (client) => {
    const state = await readState(client, delta);
    return [state.schema.version, { ...state, roles: [], owner: DEFAULT_OWNER }] as const;
  });
  if (migrations.value.length === 0) return ok(empty);
  const known = await findSnapshot(project.root, hashMigrations(migrations.value, version), delta);
  return known === undefined ? derive(project, migrations.value, delta) : ok(known);
}

/** Changes with what the state depends on. @param version major version of PostgreSQL */
export function hashMigrations(migrations: readonly Migration[], version: number): string {
  const hash = createHash('sha256');
  for (const part of [PRODUCT.version, COMPARISON_PACKAGE.version, version]) hash.update(`${part}\0`);
  for (const { name, hash: own } of migrations) hash.update(`${name}\0${own}\0`);
  return hash.digest('hex');
}

function derive(project: Project, migrations: readonly Migration[], delta: SchemaDelta): Promise<Outcome<TargetState>> {
  return withScratchCluster((own) =>
    own.withNewDatabase(async (client) => {
      const assumed = await applyAll(client, project, migrations);
      if (!assumed.ok) return assumed;
      const roles = await readRoleFacts(client, await listOwnRoles(client));
      const texts = migrations.map(({ file }) => file.text);
      const isMade = ({ name }: RoleFacts): boolean =>
        !assumed.value.includes(name) || texts.some((text) => createsRole(text, name));
      const made = addSettings(roles.filter(isMade), texts.flatMap(listSettingsByHand));
      return ok({ ...(await readState(client, delta)), roles: made, owner: DEFAULT_OWNER });
    }),
  );
}

/** @returns roles of `roles.sql` that the migrations use without creating them: something else did in their databases */
async function applyAll(
  client: Client,
  { roles }: Project,
  migrations: readonly Migration[],
): Promise<Outcome<readonly string[]>> {
  const known = roles === undefined ? [] : findCreatedRoles(roles);
  const assumed: string[] = [];
  for (;;) {
    const applied = await applyMigrations(client, migrations, ALONE);
    if (applied.ok) return ok(assumed);
    const missing = applied.error.map(findMissingRole).find((name) => name !== undefined);
    if (missing === undefined || !known.includes(missing) || assumed.includes(missing))
      return fail(applied.error.map((problem) => explain(problem, migrations)));
    await client.query(`create role ${escapeIdentifier(missing)}`);
    assumed.push(missing);
  }
}

function findMissingRole({ sqlstate, message }: Problem): string | undefined {
  return sqlstate === '42704' ? /^role "(?<name>.+)" does not exist$/su.exec(message)?.groups?.['name'] : undefined;
}

const DERIVED =
  'Without a database, the folder is compared with the state that all migrations produce in an empty database: they must apply to one, in order.';
const MERGED =
  'If it does not fit what another branch has changed, and no database that matters has its files: rename and edit them, or delete them and run `rowhouse diff --write NAME` again.';
const BASELINE =
  'For a database that had a schema before its first migration, let `rowhouse diff --write NAME` without a database write that schema as the first one, and record it there with `rowhouse migrate --baseline NAME`.';

function explain(problem: Problem, migrations: readonly Migration[]): Problem {
  const [first] = migrations;
  const failed = migrations.find(({ file }) => file.path === problem.file);
  const upTo = failed === undefined ? [] : migrations.slice(0, migrations.indexOf(failed) + 1);
  const sameNumbers = describeSameNumbers(upTo).length > 0 ? [MERGED, ...describeSameNumbers(migrations)] : [];
  const hints = [problem.hint, DERIVED, ...(failed === first ? [BASELINE] : []), ...sameNumbers];
  return { ...problem, hint: hints.filter((hint) => hint !== undefined).join('\n') };
}

async function listOwnRoles(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select rolname as name from pg_catalog.pg_roles where rolname !~ '^pg_' and rolname <> current_user`,
  );
  return rows.map(({ name }) => name);
}

function createsRole(text: string, name: string): boolean {
  const escaped = escapeIdentifier(name)
    .slice(1, -1)
    .replaceAll(/[^\p{L}\p{N}_]/gu, String.raw`\$&`);
  return new RegExp(String.raw`\bcreate\s+(?:role|user|group)\s+"?${escaped}(?![\p{L}\p{N}_$])`, 'iu').test(text);
}

/** The migrations only say that these are to be set by hand. */
function addSettings(
  roles: readonly RoleFacts[],
  settings: readonly { readonly role: string; readonly name: string }[],
): readonly RoleFacts[] {
  return roles.map((role) => {
    const own = settings.filter((setting) => setting.role === role.name).map(({ name }) => [name, null]);
    return { ...role, settings: { ...Object.fromEntries(own), ...role.settings } };
  });
}

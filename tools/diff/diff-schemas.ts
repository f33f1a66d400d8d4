// `rowhouse diff`: the SQL that brings a database, or the state of the migrations, to the state of a folder (`project.md` §3).
import type { Client } from 'pg';
import { fail, ok } from '../../src/contract/result.ts';
import { withConnection } from '../embedded/script/sql-session.ts';
import type { Migration } from '../migrate/read-migrations.ts';
import { listCatalogRoles, readVersion } from '../project/compare/catalog/catalog.ts';
import { listRoles, SchemaDelta } from '../project/compare/schema-delta.ts';
import { type Outcome, problemOf } from '../project/folder/problem.ts';
import type { Project } from '../project/folder/read-project.ts';
import { buildDatabase } from '../project/run/build-database.ts';
import { runRoles } from '../project/run/run-roles.ts';
import { compareStates, type ComparedStates, type Place } from './compare-states.ts';
import { hashMigrations } from './migrated-state.ts';
import type { Target } from './operands.ts';
import { readTarget } from './read-target.ts';
import { readState } from './replica.ts';
import { readCreatedRoles, type RoleFacts } from './role-facts.ts';
import { type ScratchCluster, ScratchServer, withScratchCluster } from './scratch-server.ts';
import { renderSnapshot, type TargetState } from './snapshot.ts';

export interface SchemaDiff extends ComparedStates {
  /** Whether an earlier `--write` has kept the snapshot of the same migrations. */
  readonly isKept: boolean;
  /** Renders the state of the folder as the snapshot of the migrations that produce it; undefined if others do. */
  readonly renderSnapshot: ((migrations: readonly Migration[]) => string) | undefined;
}

/** @returns what is wrong with the files, the target, or the migration itself */
export async function diffSchemas(project: Project, target: Target): Promise<Outcome<SchemaDiff>> {
  const loaded = await SchemaDelta.load();
  if (!loaded.ok) return fail([problemOf(undefined, loaded.error)]);
  const delta = loaded.value;
  return withScratchCluster(async (scratch) => {
    const old = await readTarget(target, delta, project, scratch);
    if (!old.ok) return old;
    const roles = await buildRoles(scratch, project);
    if (!roles.ok) return roles;
    const place = await choosePlace(scratch, target, old.value);
    return place.server.withNewDatabase(async (client) => {
      const built = await buildDatabase({ ...project, roles: undefined }, client, { roles: 'all', hasSeed: false });
      if (!built.ok) return built;
      const oldest = old.value.schema.version;
      const current = { ...(await readState(client, delta, oldest)), roles: roles.value, owner: old.value.owner };
      const compared = await compareStates({ delta, files: project.schema, place, old: old.value, current });
      if (!compared.ok) return compared;
      const isKept = old.value.migrations !== undefined;
      return ok({ ...compared.value, isKept, renderSnapshot: createRenderer(delta, target, current) });
    });
  });
}

/** A migration for another target does not lead from the state of those before it to that of the folder. */
function createRenderer(delta: SchemaDelta, target: Target, current: TargetState): SchemaDiff['renderSnapshot'] {
  if (target.kind !== 'migrations') return undefined;
  return (migrations) => renderSnapshot(current, hashMigrations(migrations, current.schema.version), delta);
}

/** Runs `roles.sql` in the embedded PostgreSQL. */
function buildRoles(scratch: ScratchServer, project: Project): Promise<Outcome<readonly RoleFacts[]>> {
  return scratch.withNewDatabase(async (client) => {
    const ran = project.roles === undefined ? ok([]) : await runRoles(client, project.roles, 'all');
    return ran.ok ? ok(await readCreatedRoles(client, project)) : fail([ran.error]);
  });
}

/** Prefers a server that disappears, if it has the version and the extensions of the target. */
async function choosePlace(scratch: ScratchCluster, target: Target, old: TargetState): Promise<Place> {
  const version = await scratch.withNewDatabase(readVersion);
  await scratch.createRoles([...listRoles(old.schema), ...listCatalogRoles(old.catalog)]);
  const server = await scratch.actAs(old.owner);
  const isSameVersion = version === old.schema.version;
  const isComplete = isSameVersion && (await scratch.withNewDatabase((client) => hasExtensions(client, old)));
  if (isComplete) return { server, notProved: undefined };
  const uri = target.kind === 'database' && (await canCreateDatabases(target.uri)) ? target.uri : undefined;
  if (uri !== undefined) return { server: new ScratchServer(uri), notProved: undefined };
  const reason = `the versions differ: ${old.schema.version} there, and ${version} where the folder was built`;
  return { server, notProved: isSameVersion ? undefined : reason };
}

async function hasExtensions(client: Client, { schema }: TargetState): Promise<boolean> {
  const names = schema.facts.facts().flatMap(({ id }) => (id.kind === 'extension' ? [id.name] : []));
  const { rows } = await client.query(
    'select from unnest($1::text[]) as wanted where wanted <> all (select name from pg_catalog.pg_available_extensions)',
    [names],
  );
  return rows.length === 0;
}

function canCreateDatabases(uri: string): Promise<boolean> {
  return withConnection(uri, async (client) => {
    const { rows } = await client.query<{ may: boolean }>(
      'select rolcreatedb or rolsuper as may from pg_catalog.pg_roles where rolname = current_user',
    );
    return rows[0]?.may ?? false;
  });
}

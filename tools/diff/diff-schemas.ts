// `rowhouse diff`: the SQL that brings a database, or the state of the migrations, to the state of a folder (`project.md` §3).
import { type Client, DatabaseError } from 'pg';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { withConnection } from '../embedded/script/sql-session.ts';
import { describeChanges } from '../project/compare/describe-changes.ts';
import { listRoles, SchemaDelta, type SchemaState } from '../project/compare/schema-delta.ts';
import { findStated, readRenameComments, renderRename } from '../project/dev/find-renames.ts';
import { findKeeping } from '../project/dev/keep-in-place.ts';
import { type Problem, problemOf } from '../project/folder/problem.ts';
import type { Project } from '../project/folder/read-project.ts';
import { buildDatabase } from '../project/run/build-database.ts';
import { findColumnPlace } from '../project/run/missing-value.ts';
import { runRoles } from '../project/run/run-roles.ts';
import type { Migration } from '../migrate/read-migrations.ts';
import { hashMigrations } from './migrated-state.ts';
import { LockMeter } from './lock-meter.ts';
import { createMigration, type MarkedStatement, type MigrationFile, plainStatement } from './migration.ts';
import type { Target } from './operands.ts';
import { copySchema, readTarget } from './read-target.ts';
import { FILE_SETTINGS } from './render-migration.ts';
import { compareRoles, readCreatedRoles, type RoleFacts } from './role-facts.ts';
import { READ_ONLY, type ScratchCluster, ScratchServer, withScratchCluster } from './scratch-server.ts';
import { renderSnapshot, type TargetState } from './snapshot.ts';

export interface SchemaDiff {
  /** None: there is no difference. */
  readonly files: readonly MigrationFile[];
  /** Why the migration was not applied to a clone; undefined if it leads to the state of the folder. */
  readonly notProved: string | undefined;
  /** Objects of the folder that cannot be compared. */
  readonly notCompared: readonly string[];
  /** Renders the state of the folder as the snapshot of the migrations that produce it; undefined if others do. */
  readonly renderSnapshot: ((migrations: readonly Migration[]) => string) | undefined;
}

/** @returns what is wrong with the files, the target, or the migration itself */
export async function diffSchemas(project: Project, target: Target): Promise<Result<SchemaDiff, readonly Problem[]>> {
  const loaded = await SchemaDelta.load();
  if (!loaded.ok) return fail([problemOf(undefined, loaded.error)]);
  const delta = loaded.value;
  return withScratchCluster(async (scratch) => {
    const old = await readTarget(target, { delta, project, scratch });
    if (!old.ok) return old;
    const roles = await buildRoles(scratch, project);
    if (!roles.ok) return roles;
    const place = await choosePlace(scratch, { target, old: old.value });
    return place.server.withNewDatabase(async (client) => {
      const built = await buildDatabase({ ...project, roles: undefined }, client, { roles: 'all', hasSeed: false });
      if (!built.ok) return built;
      const current = { schema: await delta.read(client, READ_ONLY), roles: roles.value, owner: old.value.owner };
      const compared = await compareStates({ delta, project, place, old: old.value, current });
      return compared.ok ? ok({ ...compared.value, renderSnapshot: createRenderer(delta, target, current) }) : compared;
    });
  });
}

/** A migration for another target does not lead from the state of those before it to that of the folder. */
function createRenderer(delta: SchemaDelta, target: Target, current: TargetState): SchemaDiff['renderSnapshot'] {
  if (target.kind !== 'migrations') return undefined;
  return (migrations) => renderSnapshot(current, hashMigrations(migrations, current.schema.version), delta);
}

/** Runs `roles.sql` in the embedded PostgreSQL. */
function buildRoles(
  scratch: ScratchServer,
  project: Project,
): Promise<Result<readonly RoleFacts[], readonly Problem[]>> {
  return scratch.withNewDatabase(async (client) => {
    const ran = project.roles === undefined ? ok([]) : await runRoles(client, project.roles, 'all');
    return ran.ok ? ok(await readCreatedRoles(client, project)) : fail([ran.error]);
  });
}

interface Place {
  /** Where folder and clone are built. */
  readonly server: ScratchServer;
  /** Why a clone there would prove nothing. */
  readonly notProved: string | undefined;
}

/** Prefers a server that disappears, if it has the version of the target. */
async function choosePlace(
  scratch: ScratchCluster,
  { target, old }: { readonly target: Target; readonly old: TargetState },
): Promise<Place> {
  const version = await scratch.withNewDatabase(readVersion);
  await scratch.createRoles(listRoles(old.schema));
  const server = await scratch.actAs(old.owner);
  if (version === old.schema.version) return { server, notProved: undefined };
  const uri = target.kind === 'database' && (await canCreateDatabases(target.uri)) ? target.uri : undefined;
  if (uri !== undefined) return { server: new ScratchServer(uri), notProved: undefined };
  const notProved = `the versions differ: ${old.schema.version} there, and ${version} where the folder was built`;
  return { server, notProved };
}

async function readVersion(client: Client): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int / 10000 as version`,
  );
  return rows[0]?.version ?? 0;
}

function canCreateDatabases(uri: string): Promise<boolean> {
  return withConnection(uri, async (client) => {
    const { rows } = await client.query<{ may: boolean }>(
      'select rolcreatedb or rolsuper as may from pg_catalog.pg_roles where rolname = current_user',
    );
    return rows[0]?.may ?? false;
  });
}

interface Comparison {
  readonly delta: SchemaDelta;
  readonly project: Project;
  readonly place: Place;
  readonly old: TargetState;
  readonly current: TargetState;
}

function compareStates(
  comparison: Comparison,
): Promise<Result<Omit<SchemaDiff, 'renderSnapshot'>, readonly Problem[]>> {
  const { delta, project, place, old, current } = comparison;
  return place.server.withNewDatabase(async (clone) => {
    const copied =
      place.notProved === undefined ? await copySchema(clone, { delta, schema: old.schema }) : ok(undefined);
    const notProved = place.notProved ?? (copied.ok ? undefined : `the schema cannot be cloned: ${copied.error}`);
    const rehearsal = notProved === undefined ? { clone, meter: await LockMeter.start(clone) } : undefined;
    const { first, from } = await changeNames(rehearsal, comparison);
    const plan = delta.plan(from, current.schema, old.owner);
    const files = createMigration({
      plan,
      from,
      encode: (id) => delta.encode(id),
      owner: old.owner,
      omitted: current.schema.omitted,
      findPlace: (column) => findColumnPlace(project.schema, column),
    });
    const proved = rehearsal === undefined ? ok(files) : await prove(rehearsal, files, comparison);
    if (!proved.ok) return fail([proved.error]);
    const roles = compareRoles(old.roles, current.roles).map((sql) => plainStatement(sql));
    return ok({
      files: prepend([...roles, ...first], proved.value),
      notProved,
      notCompared: current.schema.unknownKinds,
    });
  });
}

function prepend(statements: readonly MarkedStatement[], files: readonly MigrationFile[]): readonly MigrationFile[] {
  if (statements.length === 0) return files;
  const [head, ...rest] = files;
  return head === undefined || head.isBare
    ? [{ isBare: false, statements }, ...files]
    : [{ isBare: false, statements: [...statements, ...head.statements] }, ...rest];
}

/** A renamed table may have renamed columns. */
const MAX_RENAME_ROUNDS = 3;

/** A clone of the target, to which the migration is applied. */
interface Rehearsal {
  readonly clone: Client;
  readonly meter: LockMeter;
}

interface Beginning {
  readonly first: readonly MarkedStatement[];
  readonly from: SchemaState;
}

/**
 * Applies to the clone what the plan would do by dropping and creating: the renames that the files state, and what keeps
 * rows, indexes and values.
 */
async function changeNames(
  rehearsal: Rehearsal | undefined,
  { delta, project, old, current }: Comparison,
): Promise<Beginning> {
  const comments = readRenameComments(project.schema);
  const first: MarkedStatement[] = [];
  let from = old.schema;
  if (rehearsal === undefined) return { first, from };
  const { clone } = rehearsal;
  for (let round = 0; round < MAX_RENAME_ROUNDS; round += 1) {
    const stated = findStated(comments, from, current.schema);
    if (stated.length === 0) break;
    first.push(
      ...(await applyMeasured(
        rehearsal,
        stated.flatMap(renderRename).map((sql) => plainStatement(sql)),
      )),
    );
    from = await delta.read(clone, READ_ONLY);
  }
  const keeping = findKeeping(delta.plan(from, current.schema, old.owner), current.schema);
  if (keeping.length === 0) return { first, from };
  try {
    const kept = await applyMeasured(
      rehearsal,
      keeping.map((sql) => plainStatement(sql)),
    );
    return { first: [...first, ...kept], from: await delta.read(clone, READ_ONLY) };
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    await clone.query('rollback');
    return { first, from };
  }
}

/** Applies statements in one transaction. @returns them with the locks that they took */
async function applyMeasured(
  { clone, meter }: Rehearsal,
  statements: readonly MarkedStatement[],
  settings: readonly string[] = [],
): Promise<readonly MarkedStatement[]> {
  const measured: MarkedStatement[] = [];
  meter.release();
  for (const sql of ['begin', ...settings]) await clone.query(sql);
  for (const statement of statements) {
    try {
      await clone.query(statement.sql);
    } catch (error) {
      if (error instanceof Error) Object.assign(error, { statement: statement.sql });
      throw error;
    }
    measured.push({ ...statement, locks: await meter.read(statement.locks.map(({ table }) => table)) });
  }
  await clone.query('commit');
  return measured;
}

/** Applies the files to the clone. @returns them with their locks; or why they do not lead to the state of the folder */
async function prove(
  rehearsal: Rehearsal,
  files: readonly MigrationFile[],
  { delta, old, current }: Comparison,
): Promise<Result<readonly MigrationFile[], Problem>> {
  const { clone } = rehearsal;
  const proved: MigrationFile[] = [];
  for (const file of files) {
    try {
      if (file.isBare) for (const { sql } of file.statements) await clone.query(sql);
      const { statements } = file;
      proved.push(
        file.isBare ? file : { ...file, statements: await applyMeasured(rehearsal, statements, FILE_SETTINGS) },
      );
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const sql: unknown = error instanceof Error ? Reflect.get(error, 'statement') : undefined;
      const detail = typeof sql === 'string' ? sql : file.statements.map((statement) => statement.sql).join('; ');
      return fail({ ...problemOf(undefined, `The migration fails on a clone: ${message}`), detail });
    }
  }
  const rest = delta.plan(await delta.read(clone, READ_ONLY), current.schema, old.owner);
  if (rest.actions.length === 0) return ok(proved);
  const changes = describeChanges(rest, []) ?? rest.actions.map(({ sql }) => sql).join('; ');
  const message = `The migration does not lead to the schema of the folder. What remains: ${changes}`;
  return fail(problemOf(undefined, message));
}

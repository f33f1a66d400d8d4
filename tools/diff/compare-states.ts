// Compares the state of a target with that of a folder, and proves the migration between them on replicas (`project.md` §3
// item 3). Two opinions must agree: the plan of the library, and the catalogs.
import type { Client } from 'pg';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import {
  type Catalog,
  compareCatalogs,
  type CatalogDifference,
  nameDifferences,
} from '../project/compare/catalog/catalog.ts';
import { describeChanges } from '../project/compare/describe-changes.ts';
import type { Plan, SchemaDelta, SchemaState } from '../project/compare/schema-delta.ts';
import { findStated, readRenameComments, renderRename } from '../project/dev/find-renames.ts';
import { findKeeping, tryEach } from '../project/dev/keep-in-place.ts';
import { type Outcome, type Problem, problemOf } from '../project/folder/problem.ts';
import type { Project } from '../project/folder/read-project.ts';
import { findColumnPlace } from '../project/run/missing-value.ts';
import { messageOf } from '../support/thrown.ts';
import { carryOut } from './carry-out.ts';
import { LockMeter } from './lock-meter.ts';
import { createMigration, type MarkedStatement, type MigrationFile, plainStatement } from './migration.ts';
import { FILE_SETTINGS } from './render-migration.ts';
import { fillReplica, readState, type Replica } from './replica.ts';
import { compareRoles } from './role-facts.ts';
import type { ScratchServer } from './scratch-server.ts';
import type { TargetState } from './snapshot.ts';

export interface ComparedStates {
  /** None: there is no difference. */
  readonly files: readonly MigrationFile[];
  /** Why the migration was not applied to a clone; undefined if it leads to the state of the folder. */
  readonly notProved: string | undefined;
}

export interface Place {
  /** Where folder and replicas are made. */
  readonly server: ScratchServer;
  /** Why a replica there proves nothing. */
  readonly notProved: string | undefined;
}

export interface Comparison {
  readonly delta: SchemaDelta;
  /** The files of the folder, which may state renames. */
  readonly files: Project['schema'];
  readonly place: Place;
  readonly old: TargetState;
  readonly current: TargetState;
}

type Compared = Outcome<ComparedStates>;

export async function compareStates(comparison: Comparison): Promise<Compared> {
  const { delta, place, old, current } = comparison;
  const foreign = findForeignOwners(old, current);
  if (foreign.length > 0) return fail(foreign);
  const plan = delta.tryPlan(old.schema, current.schema, old.owner);
  const isSameVersion = old.catalog.version === current.catalog.version;
  const isSame = isSameVersion && compareCatalogs(old.catalog, current.catalog).length === 0;
  if (isSame && plan.ok && plan.value.actions.length === 0) return ok(withRoles(comparison, [], place.notProved));
  return place.server.withTemplate(
    (client) => fillReplica(client, delta, old),
    (template, before) =>
      before.ok
        ? planOnReplicas(comparison, { ...before.value, template })
        : Promise.resolve(planWithoutReplica(comparison, plan, before.error)),
  );
}

interface Template extends Replica {
  /** The name of the database. */
  readonly template: string;
}

async function planOnReplicas(comparison: Comparison, before: Template): Promise<Compared> {
  const { place, delta, current } = comparison;
  return place.server.withNewDatabase(async (folder) => {
    const filled = await fillReplica(folder, delta, current);
    const after = filled.ok ? completeGaps(filled.value, current.catalog) : { ...current, gaps: new Set<string>() };
    const planned = await place.server.withNewDatabase(
      (trial) => planSteps(trial, comparison, { before, after }),
      before.template,
    );
    if (!planned.ok) return fail([planned.error]);
    const proved = await place.server.withNewDatabase(async (clone) => {
      const rehearsal = { clone, meter: await LockMeter.start(clone) };
      return prove(rehearsal, { ...comparison, ...planned.value }, { before, after });
    }, before.template);
    return proved.ok ? ok(withRoles(comparison, proved.value, place.notProved)) : fail([proved.error]);
  });
}

/** What the replica could not get is wanted nevertheless. */
function completeGaps(replica: Replica, original: Catalog): Replica {
  if (replica.catalog.version !== original.version) return replica;
  const facts = new Map(replica.catalog.facts);
  for (const name of replica.gaps) {
    const fact = original.facts.get(name);
    if (fact === undefined) facts.delete(name);
    else facts.set(name, fact);
  }
  return { ...replica, catalog: { ...replica.catalog, facts } };
}

/** Without a replica, what the library does not see can only be named. On the version of the target, that is a failure. */
function planWithoutReplica(
  comparison: Comparison,
  plan: Result<Plan, string>,
  reason: string,
): Outcome<ComparedStates> {
  const { old, current, place } = comparison;
  if (place.notProved === undefined)
    return fail([
      problemOf(
        undefined,
        `The migration cannot be proved, because the schema cannot be cloned: ${reason}`,
        CLONE_HINT,
      ),
    ]);
  if (!plan.ok) return fail([refusePlan(plan.error)]);
  const differences = compareCatalogs(old.catalog, current.catalog);
  if (plan.value.actions.length === 0 && differences.length > 0) return fail([refuseDifferences(differences)]);
  const files = renderPlan(comparison, { first: [], from: old.schema, plan: plan.value });
  return ok(withRoles(comparison, files, `${place.notProved}, and the schema cannot be cloned: ${reason}`));
}

function withRoles(
  { old, current }: Comparison,
  files: readonly MigrationFile[],
  notProved: string | undefined,
): ComparedStates {
  return {
    files: prepend(
      compareRoles(old.roles, current.roles).map((sql) => plainStatement(sql)),
      files,
    ),
    notProved,
  };
}

/** Objects that belong to another role than the one that migrates, and of which the files do not say so. */
function findForeignOwners(old: TargetState, current: TargetState): readonly Problem[] {
  const owned = new Map<string, string[]>();
  for (const { name, value } of current.catalog.facts.values()) {
    const before = old.catalog.facts.get(name)?.value;
    const isForeign = name.startsWith(OWNER_OF) && value === quoted(old.owner) && before !== undefined;
    if (isForeign && before !== value) owned.set(before, [...(owned.get(before) ?? []), name.slice(OWNER_OF.length)]);
  }
  return [...owned].map(([owner, names]) => {
    const shown = nameDifferences(names.map((name) => ({ name })));
    const message = `${shown} ${names.length === 1 ? 'belongs' : 'belong'} to ${owner}, but the files name no owner`;
    const hint = `Connect as ${owner}, or add \`alter ${names[0]} owner to ${owner}\` to the files.`;
    return problemOf(undefined, message, hint);
  });
}

const OWNER_OF = 'owner of ';

/** As PostgreSQL prints the name of a role. */
function quoted(role: string): string {
  return /^[a-z_][a-z0-9_$]*$/u.test(role) ? role : `"${role.replaceAll('"', '""')}"`;
}

const HINT = 'Write a migration for it by hand.';

const CLONE_HINT =
  'If the embedded PostgreSQL lacks an extension, connect as a role with CREATEDB: the clone is then made on the server of the database.';

function refusePlan(reason: string): Problem {
  return { ...problemOf(undefined, 'Something cannot be changed in place.', HINT), detail: reason };
}

function refuseDifferences(differences: readonly CatalogDifference[]): Problem {
  return problemOf(undefined, `These cannot be changed in place: ${nameDifferences(differences)}`, HINT);
}

function prepend(statements: readonly MarkedStatement[], files: readonly MigrationFile[]): readonly MigrationFile[] {
  if (statements.length === 0) return files;
  const [head, ...rest] = files;
  return head === undefined || head.isBare
    ? [{ isBare: false, statements }, ...files]
    : [{ isBare: false, statements: [...statements, ...head.statements] }, ...rest];
}

interface Sides {
  readonly before: Replica;
  readonly after: Replica;
}

interface PlannedSteps {
  /** What the plan would do by dropping and creating: renames that the files state, and what keeps rows and values. */
  readonly first: readonly string[];
  /** The state after it. */
  readonly from: SchemaState;
  readonly plan: Pick<Plan, 'actions' | 'deltas'>;
}

/** Finds the steps by carrying them out. */
async function planSteps(
  client: Client,
  comparison: Comparison,
  { before, after }: Sides,
): Promise<Result<PlannedSteps, Problem>> {
  const { delta, old } = comparison;
  const { first, from } = await changeNames(client, comparison, { before, after });
  const plan = delta.tryPlan(from, after.schema, old.owner);
  if (!plan.ok) return fail(refusePlan(plan.error));
  const carried = await carryOut(client, plan.value, after.catalog);
  if (!carried.ok) return fail(describeFailure(carried.error.message, carried.error.sql));
  return ok({ first, from, plan: { deltas: plan.value.deltas, actions: [...carried.value] } });
}

/** A renamed table may have renamed columns. */
const MAX_RENAME_ROUNDS = 3;

async function changeNames(
  client: Client,
  { delta, files, old }: Comparison,
  { before, after }: Sides,
): Promise<Pick<PlannedSteps, 'first' | 'from'>> {
  const comments = readRenameComments(files);
  const first: string[] = [];
  let from = before.schema;
  for (let round = 0; round < MAX_RENAME_ROUNDS; round += 1) {
    const stated = findStated(comments, from, after.schema).flatMap(renderRename);
    if (stated.length === 0) break;
    for (const sql of stated) await client.query(sql);
    first.push(...stated);
    from = (await readState(client, delta, old.schema.version)).schema;
  }
  const plan = delta.tryPlan(from, after.schema, old.owner);
  const keeping = plan.ok ? findKeeping(plan.value, after.schema) : [];
  if (keeping.length === 0) return { first, from };
  await client.query('begin');
  const kept = await tryEach(client, keeping);
  await client.query('commit');
  return { first: [...first, ...kept], from: (await readState(client, delta, old.schema.version)).schema };
}

function describeFailure(message: string, sql: string): Problem {
  return { ...problemOf(undefined, `The migration fails on a clone: ${message}`), detail: sql };
}

function renderPlan(
  { delta, files, old, current }: Comparison,
  { from, plan }: PlannedSteps,
): readonly MigrationFile[] {
  return createMigration({
    plan,
    from,
    encode: (id) => delta.encode(id),
    owner: old.owner,
    omitted: current.schema.omitted,
    findPlace: (column) => findColumnPlace(files, column),
  });
}

/** A clone of the target, to which the migration is applied. */
interface Rehearsal {
  readonly clone: Client;
  readonly meter: LockMeter;
}

/** Applies the files to a clone. @returns them with their locks; or why they do not lead to the state of the folder */
async function prove(
  rehearsal: Rehearsal,
  proof: Comparison & PlannedSteps,
  sides: Sides,
): Promise<Result<readonly MigrationFile[], Problem>> {
  const { clone } = rehearsal;
  const first = await applyMeasured(
    rehearsal,
    proof.first.map((sql) => plainStatement(sql)),
  );
  const proved: MigrationFile[] = [];
  for (const file of renderPlan(proof, proof)) {
    try {
      if (file.isBare) for (const { sql } of file.statements) await clone.query(sql);
      const { statements } = file;
      proved.push(
        file.isBare ? file : { ...file, statements: await applyMeasured(rehearsal, statements, FILE_SETTINGS) },
      );
    } catch (error) {
      const message = messageOf(error);
      const sql: unknown = error instanceof Error ? Reflect.get(error, 'statement') : undefined;
      const detail = typeof sql === 'string' ? sql : file.statements.map((statement) => statement.sql).join('; ');
      return fail(describeFailure(message, detail));
    }
  }
  const problem = await checkResult(clone, proof, sides);
  return problem === undefined ? ok(prepend(first, proved)) : fail(problem);
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

/** @returns why a clone that took the migration does not equal the folder */
async function checkResult(
  clone: Client,
  { delta, old, current }: Comparison,
  { before, after }: Sides,
): Promise<Problem | undefined> {
  const reached = await readState(clone, delta, old.schema.version);
  // What no replica can contain was compared directly.
  const isGap = ({ name }: CatalogDifference): boolean => before.gaps.has(name) || after.gaps.has(name);
  const direct = compareCatalogs(old.catalog, current.catalog).filter(isGap);
  const others = compareCatalogs(reached.catalog, after.catalog).filter((each) => !isGap(each));
  if (direct.length + others.length > 0) return refuseDifferences([...direct, ...others]);
  const rest = delta.tryPlan(reached.schema, after.schema, old.owner);
  if (!rest.ok) return refusePlan(rest.error);
  if (rest.value.actions.length === 0) return undefined;
  const changes = describeChanges(rest.value, []) ?? rest.value.actions.map(({ sql }) => sql).join('; ');
  return problemOf(undefined, `The migration does not lead to the schema of the folder. What remains: ${changes}`);
}

// Plans an update of the development database, with the renames that the files state or that a person confirms (`project.md`
// §2 item 6).
import type { Client } from 'pg';
import type { SaveQuestion } from '../../../src/contract/dev-news.ts';
import { ok, type Result } from '../../../src/contract/result.ts';
import type { Plan, SchemaDelta, SchemaState } from '../compare/schema-delta.ts';
import type { Project } from '../folder/read-project.ts';
import { findRenames, findStated, readRenameComments, type Rename, renderRename } from './find-renames.ts';
import { findKeeping, tryEach } from './keep-in-place.ts';

export interface UpdatePlan {
  /** Statements that run before the plan: renames, and what keeps rows. */
  readonly first: readonly string[];
  readonly plan: Plan;
  readonly renames: readonly Rename[];
}

export interface PlanningTools {
  readonly delta: SchemaDelta;
  /** In the development database, not in a transaction. */
  readonly dev: Client;
  readonly lockTimeoutMs: number;
  /** Asks a person; undefined if there is no answer. */
  readonly ask: (question: SaveQuestion) => Promise<boolean | undefined>;
}

/** A column can move together with its table, and a table with its schema. */
const MAX_RENAME_ROUNDS = 3;

/** The error says what cannot be changed in place. */
export async function planUpdate(
  tools: PlanningTools,
  project: Pick<Project, 'schema'>,
  from: SchemaState,
  desired: SchemaState,
): Promise<Result<UpdatePlan, string>> {
  const { delta, ask } = tools;
  const comments = readRenameComments(project.schema);
  const renames: Rename[] = [];
  let state = from;
  for (let round = 0; round < MAX_RENAME_ROUNDS; round += 1) {
    const stated = findStated(comments, state, desired);
    if (stated.length === 0) break;
    renames.push(...stated);
    ({ state } = await readAfter(tools, renames.flatMap(renderRename)));
  }
  const plan = delta.tryPlan(state, desired);
  if (!plan.ok) return plan;
  const known = renames.length;
  for (const rename of findRenames(plan.value, state, desired)) {
    const { table, from: old, to } = rename;
    const what = table === undefined ? `table ${old}` : `column ${table}.${old}`;
    if ((await ask({ kind: 'rename', what, to })) === true) renames.push(rename);
  }
  const first = renames.flatMap(renderRename);
  const renamed = renames.length === known ? plan : delta.tryPlan((await readAfter(tools, first)).state, desired);
  return renamed.ok ? ok({ renames, ...(await keepRows(tools, { first, plan: renamed.value, desired })) }) : renamed;
}

/** Plans again after the statements that keep rows. */
async function keepRows(
  tools: PlanningTools,
  { first, plan, desired }: Pick<UpdatePlan, 'first' | 'plan'> & { readonly desired: SchemaState },
): Promise<Pick<UpdatePlan, 'first' | 'plan'>> {
  const keeping = findKeeping(plan, desired);
  if (keeping.length === 0) return { first, plan };
  const { state, kept } = await readAfter(tools, first, keeping);
  const again = tools.delta.tryPlan(state, desired);
  return again.ok ? { first: [...first, ...kept], plan: again.value } : { first, plan };
}

/** Returns the state that the development database would have after these statements, and those of `keeping` that succeed. */
async function readAfter(
  { delta, dev, lockTimeoutMs }: PlanningTools,
  statements: readonly string[],
  keeping: readonly string[] = [],
): Promise<{ readonly state: SchemaState; readonly kept: readonly string[] }> {
  await dev.query(`begin; set local lock_timeout = ${lockTimeoutMs}`);
  try {
    for (const sql of statements) await dev.query(sql);
    const kept = await tryEach(dev, keeping);
    return { state: await delta.read(dev, { isInTransaction: true, hasSecrets: true }), kept };
  } finally {
    await dev.query('rollback');
  }
}

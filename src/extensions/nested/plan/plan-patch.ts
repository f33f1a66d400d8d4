// Plans a PATCH that changes one row together with its related rows (`beyond.md` §2.2).
import { ok, type Result } from '../../../contract/result.ts';
import type { Slices } from '../../../util/slices.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { MutateAction } from '../../../plan/actions/action-plan.ts';
import type { NestedTask, OldColumns, RowLink } from '../nested-plan.ts';
import { type InsertContext, InsertPlanner } from './plan-inserts.ts';
import { PatchPlanner, pick } from './patch-planner.ts';
import { type ChangeContext, OwnedPlanner } from './plan-owned.ts';
import { LinkedPlanner } from './plan-linked.ts';
import { linkedColumns, StatementPlanner } from './plan-statement.ts';
import type { PatchBody, RelatedChange } from './read-patch.ts';

export interface PatchTasks {
  readonly tasks: readonly NestedTask[];
  readonly top: number;
  readonly hasJunctions: boolean;
}

/** The parent of a PATCH, as its own statement needs it. */
interface ParentWrite {
  readonly flat: MutateAction;
  /** Columns that the response and other rows need. */
  readonly returned: readonly string[];
  readonly old: OldColumns | undefined;
}

export function* planPatch(
  body: PatchBody,
  write: ParentWrite,
  context: InsertContext,
): Slices<Result<PatchTasks, ApiError>> {
  const { changes } = body;
  const patch = new PatchPlanner(new InsertPlanner(context));
  const change: ChangeContext = { ...context, patch };
  const top = planParent(body, write, change);
  if (!top.ok) return top;
  for (const each of changes) {
    const planned = yield* planChange(each, top.value, change);
    if (!planned.ok) return planned;
  }
  const hasJunctions = changes.some(({ level }) => level.link.placement === 'junction');
  return ok({ tasks: patch.inserts.tasks, top: top.value, hasJunctions });
}

/** Changes the parent, or locks it if its columns stay as they are. */
function planParent(
  { parent, changes }: PatchBody,
  { flat, returned, old }: ParentWrite,
  context: ChangeContext,
): Result<number, ApiError> {
  const { patch, planContext, columnsOf, appliesDefaults } = context;
  const links: RowLink[] = [];
  for (const each of changes) {
    const found = findReferred(each, context);
    if (!found.ok) return found;
    links.push(...found.value);
  }
  const planner = new StatementPlanner(flat.relation, planContext);
  const repeated = patch.addRepeated(parent, links, planner);
  if (!repeated.ok) return repeated;
  const cleared = changes.flatMap(clearedColumns);
  const filled = [...cleared, ...linkedColumns(links)];
  const further = { where: flat.where, cleared, returned, old, appliesDefaults };
  return patch.add(parent, {
    absence: 'ambiguous',
    draft: (shape) => {
      const sent = (columnsOf([]) ?? shape.names).filter((name) => !filled.includes(name));
      const verb = sent.length + filled.length > 0 ? 'update' : 'lock';
      return { planner, verb, sent, links, ...further };
    },
  });
}

/** Lists the columns of the parent that changes to related rows refer to. */
export function usedColumns({ changes }: PatchBody): readonly string[] {
  return changes.flatMap(({ level: { link } }) =>
    (link.placement === 'junction' ? link.relationship.originColumns : link.relationship.columns).map(([own]) => own),
  );
}

/** A row to which the parent will refer is found before the parent is changed. */
function findReferred(
  { level, keyed: [connected] }: RelatedChange,
  { patch, planContext }: ChangeContext,
): Result<readonly RowLink[], ApiError> {
  if (level.link.placement !== 'before' || connected?.command !== 'connect') return ok([]);
  const { columns } = level.link.relationship;
  const planner = new StatementPlanner(level.relation, planContext);
  const further = { match: level.relation.primaryKey, returned: columns.map(([, theirs]) => theirs) };
  const found = patch.add(connected.level, {
    absence: 'missing',
    draft: ({ names }) => ({ planner, verb: 'find', sent: names, ...further }),
  });
  return found.ok ? ok([{ task: found.value, rowOf: () => 0, columns }]) : found;
}

function clearedColumns({ level: { link }, removed }: RelatedChange): readonly string[] {
  return link.placement === 'before' && removed === 'all' ? link.relationship.columns.map(([own]) => own) : [];
}

function* planChange(change: RelatedChange, top: number, context: ChangeContext): Slices<Result<unknown, ApiError>> {
  const { level } = change;
  const { link } = level;
  if (link.placement === 'before') return planReferred(change, top, context);
  const planned =
    link.placement === 'junction'
      ? new LinkedPlanner(change, link, { top, context }).plan()
      : new OwnedPlanner(change, top, context).plan();
  return planned.ok && level.rows.length > 0 ? yield* context.patch.inserts.addChild(level, top) : planned;
}

/** Changes the row to which the parent refers. */
function planReferred(
  { level, keyed: [updated] }: RelatedChange,
  top: number,
  { patch, planContext }: ChangeContext,
): Result<unknown, ApiError> {
  if (level.link.placement !== 'before' || updated?.command !== 'update') return ok(undefined);
  const columns = level.link.relationship.columns.map(([own, theirs]) => [theirs, own] as const);
  const match = columns.map(([theirs]) => theirs);
  const links = [{ task: top, rowOf: () => 0, columns }];
  const planner = new StatementPlanner(level.relation, planContext);
  const repeated = patch.addRepeated(updated.level, links, planner);
  if (!repeated.ok) return repeated;
  return patch.add(updated.level, {
    absence: 'missing',
    draft: (shape) => {
      const sent = pick(shape, match, false);
      return { planner, verb: sent.length > 0 ? 'update' : 'find', sent, links, match };
    },
  });
}

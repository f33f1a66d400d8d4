// Plans a PATCH that changes one row together with its related rows (`beyond.md` §2.2).
import { ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { MutateAction } from '../../actions/action-plan.ts';
import type { NestedTask, RowLink } from '../../actions/nested-plan.ts';
import { type InsertContext, InsertPlanner } from './plan-inserts.ts';
import { PatchPlanner, pick } from './patch-planner.ts';
import { type ChangeContext, OwnedPlanner } from './plan-changes.ts';
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
}

export function planPatch(body: PatchBody, write: ParentWrite, context: InsertContext): Result<PatchTasks, ApiError> {
  const { changes } = body;
  const patch = new PatchPlanner(new InsertPlanner(context));
  const change: ChangeContext = { ...context, patch };
  const top = planParent(body, write, change);
  if (!top.ok) return top;
  for (const each of changes) {
    const planned = planChange(each, top.value, change);
    if (!planned.ok) return planned;
  }
  const hasJunctions = changes.some(({ level }) => level.link.placement === 'junction');
  return ok({ tasks: patch.inserts.tasks, top: top.value, hasJunctions });
}

/** Changes the parent, or locks it if its columns stay as they are. */
function planParent(
  { row, changes }: PatchBody,
  { flat, returned }: ParentWrite,
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
  const repeated = patch.addRepeated(row, links, planner);
  if (!repeated.ok) return repeated;
  const cleared = changes.flatMap(clearedColumns);
  const filled = [...cleared, ...linkedColumns(links)];
  const names = (columnsOf([]) ?? [...row.members.keys()]).filter((name) => !filled.includes(name));
  return patch.add({
    planner,
    verb: names.length + filled.length > 0 ? 'update' : 'lock',
    pointer: '',
    absence: 'ambiguous',
    names,
    sent: pick(row, names),
    links,
    further: { where: flat.where, cleared, returned, appliesDefaults },
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
  { level, keyed }: RelatedChange,
  { patch, planContext }: ChangeContext,
): Result<readonly RowLink[], ApiError> {
  const [connected] = keyed;
  if (level.link.placement !== 'before' || connected?.command !== 'connect') return ok([]);
  const { columns } = level.link.relationship;
  const found = patch.add({
    planner: new StatementPlanner(level.relation, planContext),
    verb: 'find',
    pointer: connected.row.pointer,
    sent: connected.row.members,
    absence: 'missing',
    further: { match: level.relation.primaryKey, returned: columns.map(([, theirs]) => theirs) },
  });
  return found.ok ? ok([{ task: found.value, row: 0, columns }]) : found;
}

function clearedColumns({ level: { link }, removed }: RelatedChange): readonly string[] {
  return link.placement === 'before' && removed === 'all' ? link.relationship.columns.map(([own]) => own) : [];
}

function planChange(change: RelatedChange, top: number, context: ChangeContext): Result<unknown, ApiError> {
  const { level } = change;
  const { link } = level;
  if (link.placement === 'before') return planReferred(change, top, context);
  const planned =
    link.placement === 'junction'
      ? new LinkedPlanner(change, link, { top, context }).plan()
      : new OwnedPlanner(change, top, context).plan();
  return planned.ok && level.rows.length > 0 ? context.patch.inserts.addChild(level, top) : planned;
}

/** Changes the row to which the parent refers. */
function planReferred(
  { level, keyed }: RelatedChange,
  top: number,
  { patch, planContext }: ChangeContext,
): Result<unknown, ApiError> {
  const [updated] = keyed;
  if (level.link.placement !== 'before' || updated?.command !== 'update') return ok(undefined);
  const { row } = updated;
  const columns = level.link.relationship.columns.map(([own, theirs]) => [theirs, own] as const);
  const match = columns.map(([theirs]) => theirs);
  const links = [{ task: top, row: 0, columns }];
  const planner = new StatementPlanner(level.relation, planContext);
  const repeated = patch.addRepeated(row, links, planner);
  if (!repeated.ok) return repeated;
  const sent = pick(row, match, false);
  const verb = sent.size > 0 ? 'update' : 'find';
  return patch.add({ planner, verb, pointer: row.pointer, sent, links, absence: 'missing', further: { match } });
}

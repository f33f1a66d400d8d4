// Orders the rows of a body for insertion: rows that others refer to come first (`beyond.md` §2.2).
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { ConflictPlan } from '../../../plan/actions/action-plan.ts';
import type { NestedStatement, NestedTask, OldColumns, RowForm, RowLink } from '../nested-plan.ts';
import type { Relation } from '../../../catalog/schema-cache.ts';
import { SliceMeter, type Slices } from '../../../util/slices.ts';
import { planConflictTarget, targetOf } from '../../../plan/writes/plan-conflict-target.ts';
import type { PlanContext } from '../../../plan/actions/plan-context.ts';
import {
  type ChildLevel,
  inheritedColumns,
  type NestedLevel,
  pointerOf,
  referencedColumns,
  ShapeBudget,
} from './level.ts';
import { type NestedRows, type RowShape, taskRowsOf } from './nested-rows.ts';
import { linkedColumns, planForm, planRepeated, StatementPlanner, withoutRepeatedColumns } from './plan-statement.ts';

export interface InsertContext {
  readonly planContext: PlanContext;
  readonly resolution: 'merge' | 'ignore' | undefined;
  readonly appliesDefaults: boolean;
  readonly columnsOf: (path: readonly string[]) => readonly string[] | undefined;
  readonly targetOf: (path: readonly string[]) => readonly string[] | undefined;
}

/** What holds for the rows of one level beyond their own members. */
export interface LevelWrite {
  readonly conflict: ConflictPlan | undefined;
  /** Columns that must be known after the write. */
  readonly returned: readonly string[];
  readonly old: OldColumns | undefined;
  /** Links of every row of the level. */
  readonly links: readonly RowLink[];
}

/** Collects tasks in the order of execution. */
export class InsertPlanner {
  readonly tasks: NestedTask[] = [];
  readonly #context: InsertContext;
  readonly #budget = new ShapeBudget();
  readonly #meter = new SliceMeter();

  constructor(context: InsertContext) {
    this.#context = context;
  }

  /** @returns the task that writes the rows of the level itself */
  *addLevel(level: NestedLevel, write: LevelWrite): Slices<Result<number, ApiError>> {
    const before: ReferredLevel[] = [];
    for (const child of level.children.values()) {
      const { link } = child;
      if (link.placement !== 'before') continue;
      const childWrite = this.#writeOf(child, []);
      const added = childWrite.ok ? yield* this.addLevel(child, childWrite.value) : childWrite;
      if (!added.ok) return added;
      before.push({ rows: child.rows, task: added.value, columns: link.relationship.columns });
    }
    const own = yield* this.#addRows(level, write, before);
    if (!own.ok) return own;
    for (const child of level.children.values()) {
      const added = child.link.placement === 'before' ? ok(undefined) : yield* this.addChild(child, own.value);
      if (!added.ok) return added;
    }
    return own;
  }

  /** Adds rows that refer to rows of a task, or are linked with them. */
  *addChild(child: ChildLevel, task: number): Slices<Result<undefined, ApiError>> {
    const { link, rows } = child;
    const columns = link.placement === 'after' ? link.relationship.columns : [];
    const pairs = columns.map(([theirs, own]) => [own, theirs] as const);
    const links = pairs.length === 0 ? [] : [{ task, rowOf: (row: number) => rows.parentOf(row), columns: pairs }];
    const write = this.#writeOf(child, links);
    const added = write.ok ? yield* this.addLevel(child, write.value) : write;
    return added.ok ? this.#addJunction(child, { parent: task, child: added.value }) : added;
  }

  /** Links rows of a many-to-many relationship with their parents. */
  #addJunction(
    level: ChildLevel,
    tasks: { readonly parent: number; readonly child: number },
  ): Result<undefined, ApiError> {
    const { link, rows } = level;
    if (link.placement !== 'junction' || rows.length === 0) return ok(undefined);
    const { relationship, junction } = link;
    const origin = relationship.originColumns.map(([theirs, own]) => [own, theirs] as const);
    const hasTarget = this.#context.resolution !== undefined && junction.primaryKey.length > 0;
    const conflict = hasTarget ? conflictOn(targetOf(junction.primaryKey), 'ignore') : undefined;
    const planner = new StatementPlanner(junction, this.#context.planContext);
    const links = withoutRepeatedColumns([
      { task: tasks.parent, rowOf: (row) => rows.parentOf(row), columns: origin },
      { task: tasks.child, rowOf: (row) => row, columns: relationship.targetColumns },
    ]);
    const form = planForm(NO_COLUMNS, { planner, verb: 'insert', sent: [], links, conflict });
    if (!form.ok) return form;
    this.addTask(level, { forms: [form.value], formOf: () => form.value, absenceOf: () => 'accepted' });
    return ok(undefined);
  }

  addTask(level: NestedLevel, task: TaskDraft): number {
    const rows = taskRowsOf(level.rows, (row) => pointerOf(level, row));
    return this.tasks.push({ decidedBy: undefined, isSingly: false, rows, ...task }) - 1;
  }

  *#addRows(level: NestedLevel, write: LevelWrite, before: readonly ReferredLevel[]): Slices<Result<number, ApiError>> {
    const planned = yield* this.#planForms(level, write, before);
    if (!planned.ok) return planned;
    const forms = planned.value;
    const formAt = (row: number): LevelForm | undefined => forms.get(kindOf(level, row, before));
    const all = [...forms.values()];
    const repeated = all.flatMap(({ same }) => same ?? []);
    if (repeated.length > 0)
      this.addTask(level, {
        forms: repeated,
        formOf: (row) => formAt(row)?.same,
        absenceOf: () => 'different',
        isSingly: true,
      });
    const isMerging = level.link?.placement === 'after' && write.conflict?.resolution === 'merge';
    const task = this.addTask(level, {
      forms: all.map(({ insert }) => insert),
      formOf: (row) => formAt(row)?.insert,
      // A merge that changes nothing has met a row of another parent.
      absenceOf: isMerging ? () => 'missing' : (row) => (isReferred(level, row) ? 'dropped' : 'accepted'),
      isSingly: write.returned.length > 0 || isMerging,
    });
    return ok(task);
  }

  /** Plans how rows of each kind are written. */
  *#planForms(
    level: NestedLevel,
    write: LevelWrite,
    before: readonly ReferredLevel[],
  ): Slices<Result<ReadonlyMap<string, LevelForm>, ApiError>> {
    const forms = new Map<string, LevelForm>();
    const { rows } = level;
    const planner = new StatementPlanner(level.relation, this.#context.planContext);
    let shape: RowShape | undefined;
    for (let row = 0; row < rows.length; row += 1) {
      if (this.#meter.add(before.length === 0 ? PLAIN_ROW_UNITS : LINKED_ROW_UNITS)) yield;
      if (before.length === 0 && rows.shapeOf(row) === shape) continue;
      shape = rows.shapeOf(row);
      const kind = kindOf(level, row, before);
      if (forms.has(kind)) continue;
      const referred = before.filter((each) => each.rows.firstOf(row) !== undefined).map(linkTo);
      const links = withoutRepeatedColumns([...write.links, ...referred]);
      const form = this.#planForm(level, shape, write, links, planner);
      if (!form.ok) return form;
      const error = this.#budget.add(form.value.insert.statement.columns.length);
      if (error !== undefined) return fail(error);
      forms.set(kind, form.value);
    }
    return ok(forms);
  }

  #planForm(
    level: NestedLevel,
    shape: RowShape,
    write: LevelWrite,
    links: readonly RowLink[],
    planner: StatementPlanner,
  ): Result<LevelForm, ApiError> {
    const { appliesDefaults, columnsOf } = this.#context;
    const { conflict, returned, old } = write;
    const listed = columnsOf(level.path) ?? shape.names;
    const linked = new Set(linkedColumns(links));
    const sent = listed.filter((name) => !linked.has(name));
    const insert = planForm(shape, { planner, verb: 'insert', sent, links, conflict, returned, old, appliesDefaults });
    if (!insert.ok) return insert;
    const same = planRepeated(shape, { planner, sent: listed, links });
    if (!same.ok) return same;
    return ok({ insert: { ...insert.value, fallback: planFallback(insert.value.statement) }, same: same.value });
  }

  #writeOf(level: ChildLevel, links: readonly RowLink[]): Result<LevelWrite, ApiError> {
    const conflict = this.#conflictOf(level);
    if (!conflict.ok) return conflict;
    return ok({ conflict: conflict.value, returned: referencedColumns(level), old: undefined, links });
  }

  #conflictOf(level: ChildLevel): Result<ConflictPlan | undefined, ApiError> {
    const { resolution, targetOf: columnsOf, planContext: context } = this.#context;
    if (resolution === undefined) return ok(undefined);
    const { relation, path } = level;
    const target = planConflictTarget({ onConflict: columnsOf(path) }, { relation, context });
    if (!target.ok || target.value === undefined) return target.ok ? ok(undefined) : target;
    const unchanged = resolution === 'merge' ? inheritedColumns(level) : undefined;
    return ok({ ...conflictOn(target.value, resolution), unchanged });
  }
}

function conflictOn(target: ConflictPlan['target'], resolution: ConflictPlan['resolution']): ConflictPlan {
  return { target, merged: undefined, resolution, isCounted: false };
}

type TaskDraft = Pick<NestedTask, 'forms' | 'formOf' | 'absenceOf'> &
  Partial<Pick<NestedTask, 'decidedBy' | 'isSingly'>>;

/** Rows to which rows of the level refer, each row to one. */
interface ReferredLevel {
  readonly rows: NestedRows;
  readonly task: number;
  readonly columns: RowLink['columns'];
}

/** How rows with the same columns that refer through the same relationships are written. */
interface LevelForm {
  readonly insert: RowForm;
  readonly same: RowForm | undefined;
}

/** Units of work for a row. */
const PLAIN_ROW_UNITS = 32;
const LINKED_ROW_UNITS = 1024;
const NO_COLUMNS: RowShape = { id: 0, names: [] };

function kindOf({ rows }: NestedLevel, row: number, before: readonly ReferredLevel[]): string {
  let kind = String(rows.shapeOf(row).id);
  for (const each of before) kind += each.rows.firstOf(row) === undefined ? ' ' : '+';
  return kind;
}

function linkTo({ rows, task, columns }: ReferredLevel): RowLink {
  return { task, rowOf: (row) => rows.firstOf(row) ?? 0, columns };
}

function isReferred({ link, children }: NestedLevel, row: number): boolean {
  if (link !== undefined && link.placement !== 'after') return true;
  for (const child of children.values())
    if (child.link.placement !== 'before' && child.rows.firstOf(row) !== undefined) return true;
  return false;
}

/** Finds an existing row that an insert has ignored. */
function planFallback(insert: NestedStatement): NestedStatement | undefined {
  const { conflict, columns, relation, returned } = insert;
  if (conflict?.resolution !== 'ignore') return undefined;
  const match = keyOf(conflict, relation);
  const isGiven = match.length > 0 && match.every((name) => columns.some(({ column }) => column.name === name));
  if (!isGiven) return undefined;
  return { ...insert, verb: 'find', match, conflict: undefined, returned };
}

/** The columns that identify the existing row; none if expressions or the condition of an index do. */
function keyOf({ target }: ConflictPlan, { primaryKey }: Relation): readonly string[] {
  if (target === 'any') return primaryKey;
  const names = target.keys.flatMap((key) => (key.kind === 'column' ? [key.name] : []));
  return names.length === target.keys.length && target.predicate === undefined ? names : [];
}

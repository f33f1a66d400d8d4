// Orders the rows of a body for insertion: rows that others refer to come first (`beyond.md` §2.2).
import { sortedNames } from '../../../util/code-points.ts';
import { ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { ConflictPlan } from '../../actions/action-plan.ts';
import type { NestedStatement, NestedTask, RowAbsence, RowLink, TaskRow } from '../../actions/nested-plan.ts';
import type { Relation } from '../../../catalog/schema-cache.ts';
import { planConflictTarget, targetOf } from '../plan-conflict-target.ts';
import type { PlanContext } from '../../actions/plan-context.ts';
import { type ChildLevel, inheritedColumns, type NestedLevel, type NestedRow, referencedColumns } from './level.ts';
import { linkedColumns, StatementPlanner, withoutRepeatedColumns } from './plan-statement.ts';

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
  /** Links of every row of the level, by row. */
  readonly linksOf: (row: NestedRow) => readonly RowLink[];
}

/** Collects tasks in the order of execution. */
export class InsertPlanner {
  readonly tasks: NestedTask[] = [];
  readonly #context: InsertContext;

  constructor(context: InsertContext) {
    this.#context = context;
  }

  /** @returns the task that writes the rows of the level itself */
  addLevel(level: NestedLevel, write: LevelWrite): Result<number, ApiError> {
    const links: RowLink[][] = level.rows.map((row) => [...write.linksOf(row)]);
    for (const child of childrenAt(level, 'before')) {
      const childWrite = this.#writeOf(child, () => []);
      const added = childWrite.ok ? this.addLevel(child, childWrite.value) : childWrite;
      if (!added.ok) return added;
      const columns = child.link.relationship.kind === 'manyToMany' ? [] : child.link.relationship.columns;
      for (const [row, { parent }] of child.rows.entries()) links[parent]?.push({ task: added.value, row, columns });
    }
    const own = this.#addRows(level, write, links.map(withoutRepeatedColumns));
    if (!own.ok) return own;
    const below = this.#addBelow(level, own.value);
    return below.ok ? own : below;
  }

  #addBelow(level: NestedLevel, task: number): Result<undefined, ApiError> {
    for (const child of level.children.values()) {
      const added = child.link.placement === 'before' ? ok(undefined) : this.addChild(child, task);
      if (!added.ok) return added;
    }
    return ok(undefined);
  }

  /** Adds rows that refer to rows of a task, or are linked with them. */
  addChild(child: ChildLevel, task: number): Result<undefined, ApiError> {
    const { link } = child;
    const columns = link.placement === 'after' ? link.relationship.columns : [];
    const pairs = columns.map(([theirs, own]) => [own, theirs] as const);
    const linksOf = ({ parent }: NestedRow): readonly RowLink[] =>
      pairs.length === 0 ? [] : [{ task, row: parent, columns: pairs }];
    const write = this.#writeOf(child, linksOf);
    const added = write.ok ? this.addLevel(child, write.value) : write;
    return added.ok ? this.#addJunction(child, { parent: task, child: added.value }) : added;
  }

  /** Links rows of a many-to-many relationship with their parents. */
  #addJunction(
    level: ChildLevel,
    tasks: { readonly parent: number; readonly child: number },
  ): Result<undefined, ApiError> {
    const { link } = level;
    if (link.placement !== 'junction' || level.rows.length === 0) return ok(undefined);
    const { relationship, junction } = link;
    const origin = relationship.originColumns.map(([theirs, own]) => [own, theirs] as const);
    const hasTarget = this.#context.resolution !== undefined && junction.primaryKey.length > 0;
    const conflict = hasTarget ? conflictOn(targetOf(junction.primaryKey), 'ignore') : undefined;
    const planner = new StatementPlanner(junction, this.#context.planContext);
    const rows: TaskRow[] = [];
    for (const [row, { parent, pointer }] of level.rows.entries()) {
      const links = withoutRepeatedColumns([
        { task: tasks.parent, row: parent, columns: origin },
        { task: tasks.child, row, columns: relationship.targetColumns },
      ]);
      const statement = planner.plan({ verb: 'insert', sent: [], linked: linkedColumns(links), conflict });
      if (!statement.ok) return statement;
      const own = { pointer, statement: statement.value, fallback: undefined, members: [], links };
      rows.push({ ...own, absence: 'accepted' });
    }
    this.tasks.push({ rows, isSingly: false });
    return ok(undefined);
  }

  #addRows(level: NestedLevel, write: LevelWrite, links: readonly (readonly RowLink[])[]): Result<number, ApiError> {
    const planner = new StatementPlanner(level.relation, this.#context.planContext);
    const referenced = findReferencedRows(level);
    const rows: TaskRow[] = [];
    const repeated: TaskRow[] = [];
    for (const [index, row] of level.rows.entries()) {
      const own = links[index] ?? [];
      const absence = absenceOf(level, write, referenced.has(index));
      const planned = this.#planRow(level, { row, links: own, write, planner });
      if (!planned.ok) return planned;
      rows.push({ ...planned.value, absence, fallback: absence === 'dropped' ? planned.value.fallback : undefined });
      const same = this.#planRepeated(level, { row, links: own, write, planner });
      if (!same.ok) return same;
      if (same.value !== undefined) repeated.push(same.value);
    }
    if (repeated.length > 0) this.tasks.push({ rows: repeated, isSingly: true });
    const isSingly = write.returned.length > 0 || rows.some(({ absence }) => absence === 'missing');
    return ok(this.tasks.push({ rows, isSingly }) - 1);
  }

  #planRow(level: NestedLevel, { row, links, write, planner }: RowDraft): Result<Omit<TaskRow, 'absence'>, ApiError> {
    const { appliesDefaults } = this.#context;
    const { conflict, returned } = write;
    const linked = linkedColumns(links);
    const sent = this.#columnsOf(level, row).filter((name) => !linked.includes(name));
    const statement = planner.plan({ verb: 'insert', sent, linked, conflict, returned, appliesDefaults });
    if (!statement.ok) return statement;
    const fallback = planFallback(statement.value);
    const members = sent.flatMap((name) => row.members.get(name) ?? []);
    return ok({ pointer: row.pointer, statement: statement.value, fallback, members, links });
  }

  /** Compares the values that a row repeats although they come from related rows. */
  #planRepeated(level: NestedLevel, { row, links, planner }: RowDraft): Result<TaskRow | undefined, ApiError> {
    const sent = new Set(this.#columnsOf(level, row).filter((name) => row.members.has(name)));
    const shared = links.map((link) => ({ ...link, columns: link.columns.filter(([own]) => sent.has(own)) }));
    const linked = linkedColumns(shared);
    if (linked.length === 0) return ok(undefined);
    const statement = planner.plan({ verb: 'same', sent: [], linked });
    if (!statement.ok) return statement;
    const members = linked.flatMap((name) => row.members.get(name) ?? []);
    const own = { pointer: row.pointer, statement: statement.value, fallback: undefined, members, links: shared };
    return ok({ ...own, absence: 'different' });
  }

  #columnsOf({ path }: NestedLevel, { members }: NestedRow): readonly string[] {
    return sortedNames(this.#context.columnsOf(path) ?? [...members.keys()]);
  }

  #writeOf(level: ChildLevel, linksOf: LevelWrite['linksOf']): Result<LevelWrite, ApiError> {
    const conflict = this.#conflictOf(level);
    return conflict.ok ? ok({ conflict: conflict.value, returned: referencedColumns(level), linksOf }) : conflict;
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

interface RowDraft {
  readonly row: NestedRow;
  readonly links: readonly RowLink[];
  readonly write: LevelWrite;
  readonly planner: StatementPlanner;
}

function childrenAt({ children }: NestedLevel, placement: ChildLevel['link']['placement']): readonly ChildLevel[] {
  return [...children.values()].filter(({ link }) => link.placement === placement);
}

/** Returns the indexes of the rows that other rows refer to. */
function findReferencedRows({ link, rows, children }: NestedLevel): ReadonlySet<number> {
  if (link !== undefined && link.placement !== 'after') return new Set(rows.keys());
  const referring = [...children.values()].filter((child) => child.link.placement !== 'before');
  return new Set(referring.flatMap((child) => child.rows.map(({ parent }) => parent)));
}

/** A merge that changes nothing has met a row of another parent. */
function absenceOf({ link }: NestedLevel, { conflict }: LevelWrite, isReferenced: boolean): RowAbsence {
  if (link?.placement === 'after' && conflict?.resolution === 'merge') return 'missing';
  return isReferenced ? 'dropped' : 'accepted';
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

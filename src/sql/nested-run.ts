// Runs a nested write: sends as many statements together as do not depend on each other's results, in the order of the
// plan, and checks their results before it sends the next ones (`beyond.md` §2.2).
import { fail, ok, type Result } from '../contract/result.ts';
import type { MainStatement, ScriptResult } from '../contract/transaction.ts';
import type { ApiError } from '../errors/api-error.ts';
import type {
  NestedPlan,
  NestedStatement,
  NestedTask,
  NestedVerb,
  RowCondition,
  TaskRow,
} from '../plan/actions/nested-plan.ts';
import type { Segment } from './transaction-script.ts';
import { checkRow, nestedOrphan, type RowFault, summarizeFaults } from './nested-checks.ts';
import { isOrphan, readValues, renderRows, renderTopKeys, type RowKey, type WrittenKeys } from './nested-rows.ts';
import type { RenderedStatement } from './render-nested.ts';

export interface PreparedNested {
  readonly plan: NestedPlan;
  readonly statements: ReadonlyMap<NestedStatement, RenderedStatement>;
  /** Returns the outcome of the request. Its rows are the keys of the top level. */
  readonly last: RenderedStatement;
}

/** Statements that are sent together. */
export interface NestedPart {
  readonly segments: readonly [Segment, ...Segment[]];
  /** Returns the next part; undefined: the last result is the outcome of the request. */
  readonly proceed: (results: readonly ScriptResult[]) => Result<NestedPart | undefined, ApiError>;
}

/** Statements that are sent in one round trip, at most. Each takes a few hundred bytes of memory. */
const MAX_STATEMENTS = 500;

/** A statement for some rows of a task. */
interface SentStatement {
  readonly task: number;
  /** Index of the first row. */
  readonly row: number;
  readonly rows: readonly TaskRow[];
  readonly statement: NestedStatement;
  readonly isFallback: boolean;
}

interface Progress {
  /** Where the next statement begins. */
  readonly task: number;
  readonly row: number;
  readonly keys: WrittenKeys;
  /** Rows that are written or deleted so far, and those of the top level. */
  readonly affected: number;
  readonly topRows: number;
}

const START: Progress = { task: 0, row: 0, keys: new Map(), affected: 0, topRows: 0 };
const WRITES: ReadonlySet<NestedVerb> = new Set(['insert', 'update', 'delete', 'deleteOthers', 'clearOthers']);

/** @param base the segment of the request, with its settings and checks */
export function startNested(nested: PreparedNested, base: Segment): NestedPart {
  return planPart(nested, base, { progress: START, ...collectStatements(nested.plan, START) });
}

interface PartStart extends CollectedStatements {
  readonly progress: Progress;
}

function planPart(nested: PreparedNested, base: Segment, { progress, sent, next }: PartStart): NestedPart {
  const isTopKnown = sent.every(({ task }) => task !== nested.plan.top);
  const isLast = next.task === nested.plan.tasks.length && isTopKnown;
  const mains = sent.map(({ rows, statement }) => {
    const rendered = nested.statements.get(statement) ?? nested.last;
    return withRows(rendered, renderRows(rows, nested.plan, progress.keys));
  });
  if (isLast) mains.push(withRows(nested.last, renderTopKeys(nested.plan, progress.keys, progress.topRows)));
  const [first = nested.last.main, ...others] = mains;
  const checked = isLast ? mains.length - 1 : undefined;
  const start = renderSegment(base, first, checked === 0);
  return {
    segments: [
      progress === START ? start : { ...start, isContinued: true },
      ...others.map((main, index) => renderContinued(base, main, checked === index + 1)),
    ],
    proceed: (results) => {
      const read = readResults(sent, results, { progress: { ...progress, ...next }, plan: nested.plan });
      if (!read.ok || isLast) return read.ok ? ok(undefined) : read;
      const collected = collectStatements(nested.plan, read.value);
      const orphan = collected.sent
        .flatMap(({ rows }) => rows)
        .find((row) => isOrphan(row, nested.plan, read.value.keys));
      if (orphan !== undefined) return fail(nestedOrphan(orphan));
      return ok(planPart(nested, base, { progress: read.value, ...collected }));
    },
  };
}

function renderSegment(base: Segment, main: MainStatement, isChecked: boolean): Segment {
  const budget = base.budget && { ...base.budget, text: main.text, isConstant: false, uncounted: undefined };
  return { ...base, main, plannedCount: undefined, verify: isChecked ? base.verify : undefined, budget };
}

function renderContinued(base: Segment, main: MainStatement, isChecked: boolean): Segment {
  return { ...renderSegment(base, main, isChecked), isContinued: true };
}

function withRows({ main, rowsParameter }: RenderedStatement, rows: Uint8Array): MainStatement {
  if (rowsParameter === undefined) return main;
  return { ...main, parameters: main.parameters.with(rowsParameter, [rows]) };
}

interface CollectedStatements {
  readonly sent: readonly SentStatement[];
  readonly next: Pick<Progress, 'task' | 'row'>;
}

/** Returns the statements up to the first one that needs the result of another. */
function collectStatements({ tasks }: NestedPlan, { task: start, row, keys }: Progress): CollectedStatements {
  const sent: SentStatement[] = [];
  let next = { task: start, row };
  for (let task = tasks[start]; task !== undefined && sent.length < MAX_STATEMENTS; task = tasks[next.task]) {
    const { task: index } = next;
    const pending = new Set(sent.map((each) => each.task));
    if (index !== start && task.rows.some((each) => needsAny(each, pending))) break;
    if (!task.rows.every(({ condition }) => isMet(condition, keys))) next = { task: index + 1, row: 0 };
    else if (task.isSingly) next = addSingly(sent, task, next);
    else {
      sent.push(...groupRows(task, index));
      next = { task: index + 1, row: 0 };
    }
  }
  return { sent, next };
}

function needsAny({ links, condition }: TaskRow, pending: ReadonlySet<number>): boolean {
  return links.some(({ task }) => pending.has(task)) || (condition !== undefined && pending.has(condition.task));
}

function isMet(condition: RowCondition | undefined, keys: WrittenKeys): boolean {
  return condition === undefined || condition.isFound === (keys.get(condition.task)?.[0] !== undefined);
}

function addSingly(
  sent: SentStatement[],
  { rows }: NestedTask,
  { task, row }: Pick<Progress, 'task' | 'row'>,
): Pick<Progress, 'task' | 'row'> {
  let index = row;
  for (const each of rows.slice(row, row + MAX_STATEMENTS)) {
    const own = { task, row: index, rows: [each] };
    sent.push({ ...own, statement: each.statement, isFallback: false });
    if (each.fallback !== undefined) sent.push({ ...own, statement: each.fallback, isFallback: true });
    index += 1;
  }
  return index < rows.length ? { task, row: index } : { task: task + 1, row: 0 };
}

/** Successive rows with the same columns share a statement. */
function groupRows({ rows }: NestedTask, task: number): readonly SentStatement[] {
  const groups: SentStatement[] = [];
  let start = 0;
  for (const [index, { statement }] of rows.entries()) {
    if (rows[index + 1]?.statement === statement) continue;
    groups.push({ task, row: start, rows: rows.slice(start, index + 1), statement, isFallback: false });
    start = index + 1;
  }
  return groups;
}

interface ReadingState {
  readonly progress: Progress;
  readonly plan: NestedPlan;
}

function readResults(
  sent: readonly SentStatement[],
  results: readonly ScriptResult[],
  { progress, plan }: ReadingState,
): Result<Progress, ApiError> {
  const keys = new Map([...progress.keys].map(([task, known]): [number, RowKey[]] => [task, [...known]]));
  let { affected, topRows } = progress;
  const faults: RowFault[] = [];
  for (const [index, statement] of sent.entries()) {
    const result = results[index];
    const { pageRows = 0, body } = result?.kind === 'outcome' ? result.outcome : {};
    if (WRITES.has(statement.statement.verb)) affected += pageRows;
    if (statement.task === plan.top && !statement.isFallback) topRows += pageRows;
    const found = pageRows > 0 ? [] : undefined;
    noteValues(keys, statement, readValues(body instanceof Uint8Array ? body : undefined) ?? found);
    const [row] = statement.rows;
    if (row === undefined || (row.fallback !== undefined && !statement.isFallback)) continue;
    const isKnown = row.fallback !== undefined && keys.get(statement.task)?.[statement.row] !== undefined;
    const fault = checkRow(row, isKnown ? 1 : pageRows);
    if (fault !== undefined) faults.push(fault);
  }
  const error = summarizeFaults(faults);
  if (error !== undefined) return fail(error);
  if (plan.maxAffected !== undefined && affected > plan.maxAffected)
    return fail({ kind: 'maxAffectedExceeded', rows: affected });
  return ok({ ...progress, keys, affected, topRows });
}

function noteValues(
  keys: Map<number, RowKey[]>,
  { task, row, isFallback }: SentStatement,
  values: readonly string[] | undefined,
): void {
  const known = keys.get(task) ?? [];
  keys.set(task, known);
  if (known[row] === undefined) known[row] = values && { values, isWritten: !isFallback };
}

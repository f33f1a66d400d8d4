// Runs a nested write: sends as many statements together as do not depend on each other's results, in the order of the
// plan, and checks their results before it sends the next ones (`beyond.md` §2.2).
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { MainStatement, Pieces, ScriptResult } from '../../../contract/transaction.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { NestedPlan, NestedStatement, NestedTask, NestedVerb } from '../nested-plan.ts';
import { runSlicesWithPauses, SliceMeter, type Slices } from '../../../util/slices.ts';
import type { Segment } from '../../../sql/transaction-script.ts';
import { checkRow, type RowFault, summarizeFaults } from './nested-checks.ts';
import { findForm, readReturned, type RowRange, RowRenderer, WrittenKeys } from './nested-rows.ts';
import { type RenderedStatement, renderNestedStatement } from './render-nested.ts';

export interface PreparedNested {
  readonly plan: NestedPlan;
  readonly statements: ReadonlyMap<NestedStatement, RenderedStatement>;
  /** Returns the outcome of the request. Its rows are the keys of the top level. */
  readonly last: RenderedStatement;
  /** What is sent first. */
  readonly first: CollectedPart;
  /** Yields to other work between slices. */
  readonly pause: () => Promise<unknown>;
}

/** Statements that are sent together. */
export interface NestedPart {
  readonly segments: readonly [Segment, ...Segment[]];
  /** Returns the next part; undefined: the last result is the outcome of the request. */
  readonly proceed: (results: readonly ScriptResult[]) => Promise<Result<NestedPart | undefined, ApiError>>;
}

export interface CollectedPart {
  readonly sent: readonly SentStatement[];
  /** The statements with their rows; after those in `sent`, the last one of the request if this part is the last. */
  readonly mains: readonly MainStatement[];
  readonly isLast: boolean;
  readonly next: Place;
}

/** Statements that are sent in one round trip, at most. Each takes a few hundred bytes of memory. */
const MAX_STATEMENTS = 500;
/** Units of work for looking at a row. */
const ROW_UNITS = 128;

/** A statement for some rows of a task. */
interface SentStatement extends RowRange {
  readonly statement: NestedStatement;
  readonly isFallback: boolean;
  /** Whether a further statement finds the row if this one returns none. */
  readonly hasFallback: boolean;
}

/** Where the next statement begins. */
interface Place {
  readonly task: number;
  readonly row: number;
}

interface Progress {
  readonly place: Place;
  /** Changes from part to part. A script that is repeated from its start begins with a new one. */
  readonly keys: WrittenKeys;
  /** Rows that are written or deleted so far, and those of the top level. */
  readonly affected: number;
  readonly topRows: number;
}

const WRITES: ReadonlySet<NestedVerb> = new Set(['insert', 'update', 'delete', 'deleteOthers', 'clearOthers']);

/** Renders the statements of a nested write, once for all rows that share one, and the rows that are sent first. */
export async function prepareNested(
  plan: NestedPlan,
  last: RenderedStatement,
  settingsPrefix: string,
  pause: () => Promise<unknown>,
): Promise<Result<PreparedNested, ApiError>> {
  const statements = new Map<NestedStatement, RenderedStatement>();
  for (const { forms } of plan.tasks)
    for (const { statement, fallback } of forms)
      for (const each of [statement, fallback])
        if (each !== undefined && !statements.has(each))
          statements.set(each, renderNestedStatement(each, settingsPrefix));
  const collecting = new PartCollector({ plan, statements, last }).collect(start());
  const first = await runSlicesWithPauses(collecting, pause);
  return first.ok ? ok({ plan, statements, last, first: first.value, pause }) : first;
}

function start(): Progress {
  return { place: { task: 0, row: 0 }, keys: new WrittenKeys(), affected: 0, topRows: 0 };
}

/** @param base the segment of the request, with its settings and checks */
export function startNested(nested: PreparedNested, base: Segment): NestedPart {
  return renderPart(nested, base, nested.first, start);
}

/** @param progress returns what was known before this part */
function renderPart(
  nested: PreparedNested,
  base: Segment,
  collected: CollectedPart,
  progress: () => Progress,
): NestedPart {
  const { mains, isLast, next } = collected;
  const [first = nested.last.main, ...others] = mains;
  const checked = isLast ? mains.length - 1 : undefined;
  const opening = renderSegment(base, first, checked === 0);
  return {
    segments: [
      collected === nested.first ? opening : { ...opening, isContinued: true },
      ...others.map((main, index) => renderContinued(base, main, checked === index + 1)),
    ],
    proceed: async (results) => {
      const read = readResults(collected.sent, results, progress(), nested.plan);
      if (!read.ok || isLast) return read.ok ? ok(undefined) : read;
      const known = { ...read.value, place: next };
      const following = await runSlicesWithPauses(new PartCollector(nested).collect(known), nested.pause);
      if (!following.ok) return following;
      return ok(renderPart(nested, base, following.value, () => known));
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

function withRows({ main, rowsParameter }: RenderedStatement, rows: Pieces): MainStatement {
  return rowsParameter === undefined ? main : { ...main, parameters: main.parameters.with(rowsParameter, rows) };
}

/** Collects the statements up to the first one that needs the result of another, and renders their rows. */
class PartCollector {
  readonly #nested: Pick<PreparedNested, 'plan' | 'statements' | 'last'>;
  readonly #meter = new SliceMeter();
  readonly #sent: SentStatement[] = [];

  constructor(nested: Pick<PreparedNested, 'plan' | 'statements' | 'last'>) {
    this.#nested = nested;
  }

  *collect({ place, keys, topRows }: Progress): Slices<Result<CollectedPart, ApiError>> {
    const { plan, statements, last } = this.#nested;
    const next = yield* this.#addTasks(place, keys);
    const isTopKnown = this.#sent.every(({ task }) => task !== plan.top);
    const isLast = next.task === plan.tasks.length && isTopKnown;
    const renderer = new RowRenderer(plan, keys);
    const mains: MainStatement[] = [];
    for (const range of this.#sent) {
      const rows = yield* renderer.renderRows(range);
      if (!rows.ok) return rows;
      mains.push(withRows(statements.get(range.statement) ?? last, rows.value));
    }
    if (isLast) mains.push(withRows(last, yield* renderer.renderTopKeys(topRows)));
    return ok({ sent: this.#sent, mains, isLast, next });
  }

  *#addTasks(place: Place, keys: WrittenKeys): Slices<Place> {
    const { tasks } = this.#nested.plan;
    const pending = new Set<number>();
    let next = place;
    for (let task = tasks[place.task]; task !== undefined; task = tasks[next.task]) {
      if (next.task !== place.task && needsAny(task, pending)) break;
      const before = this.#sent.length;
      next = yield* this.#addRows(task, next, keys);
      if (this.#sent.length > before) pending.add(this.#sent.at(-1)?.task ?? 0);
      if (this.#sent.length >= MAX_STATEMENTS) break;
    }
    return next;
  }

  /** Successive rows with the same columns share a statement, unless each has its own. */
  *#addRows(task: NestedTask, { task: index, row: start }: Place, keys: WrittenKeys): Slices<Place> {
    let row = start;
    while (row < task.rows.length && this.#sent.length < MAX_STATEMENTS) {
      const form = findForm(task, row, keys);
      let end = row + 1;
      if (this.#meter.add(ROW_UNITS)) yield;
      if (form !== undefined) {
        for (
          ;
          !task.isSingly && end < task.rows.length && findForm(task, end, keys)?.statement === form.statement;
          end += 1
        )
          if (this.#meter.add(ROW_UNITS)) yield;
        const range = { task: index, start: row, end };
        const hasFallback = form.fallback !== undefined && task.absenceOf(row) === 'dropped';
        this.#sent.push({ ...range, statement: form.statement, isFallback: false, hasFallback });
        if (form.fallback !== undefined && hasFallback)
          this.#sent.push({ ...range, statement: form.fallback, isFallback: true, hasFallback });
      }
      row = end;
    }
    return row < task.rows.length ? { task: index, row } : { task: index + 1, row: 0 };
  }
}

function needsAny({ forms, decidedBy }: NestedTask, pending: ReadonlySet<number>): boolean {
  if (decidedBy !== undefined && pending.has(decidedBy)) return true;
  return forms.some(({ links }) => links.some(({ task }) => pending.has(task)));
}

const NO_VALUES = { values: [] };

function readResults(
  sent: readonly SentStatement[],
  results: readonly ScriptResult[],
  progress: Progress,
  plan: NestedPlan,
): Result<Progress, ApiError> {
  const { keys } = progress;
  let { affected, topRows } = progress;
  const faults: RowFault[] = [];
  for (const [index, each] of sent.entries()) {
    const result = results[index];
    const task = plan.tasks[each.task];
    const { pageRows = 0, body } = result?.kind === 'outcome' ? result.outcome : {};
    if (WRITES.has(each.statement.verb)) affected += pageRows;
    if (each.task === plan.top && !each.isFallback) topRows += pageRows;
    if (task === undefined || !task.isSingly) continue;
    const { start: row, isFallback, hasFallback } = each;
    const text = body instanceof Uint8Array ? body : undefined;
    const returned = readReturned(text, each.statement.old !== undefined) ?? (pageRows > 0 ? NO_VALUES : undefined);
    if (returned !== undefined) keys.note({ task: each.task, row, isFallback }, returned);
    if (hasFallback && !isFallback) continue;
    const isKnown = hasFallback && keys.isFound(each.task, row);
    const fault = checkRow(task.absenceOf(row), isKnown ? 1 : pageRows, () => task.rows.pointerOf(row));
    if (fault !== undefined) faults.push(fault);
  }
  const error = summarizeFaults(faults);
  if (error !== undefined) return fail(error);
  if (plan.maxAffected !== undefined && affected > plan.maxAffected)
    return fail({ kind: 'maxAffectedExceeded', rows: affected });
  return ok({ ...progress, keys, affected, topRows });
}

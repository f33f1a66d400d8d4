// Collects the tasks of a nested PATCH. Each row to change gets its own statement, so that a missing row is noticed.
import { ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { RowAbsence, RowForm, RowLink } from '../nested-plan.ts';
import type { NestedLevel } from './level.ts';
import type { RowShape } from './nested-rows.ts';
import type { InsertPlanner } from './plan-inserts.ts';
import { type FormDraft, linkedColumns, planForm, planRepeated, type StatementPlanner } from './plan-statement.ts';

export interface PatchTask {
  readonly absence: RowAbsence;
  /** The task that finds the rows, if what happens to a row depends on it. */
  readonly decidedBy?: number;
  /**
   * Drafts how rows of a shape are written; undefined: they are not.
   * @param isFound whether `decidedBy` has found the row
   */
  readonly draft: (shape: RowShape, isFound: boolean) => FormDraft | undefined;
}

export class PatchPlanner {
  readonly inserts: InsertPlanner;

  constructor(inserts: InsertPlanner) {
    this.inserts = inserts;
  }

  /** @returns the task of the rows of the level */
  add(level: NestedLevel, { absence, decidedBy, draft }: PatchTask): Result<number, ApiError> {
    const found: (RowForm | undefined)[] = [];
    const absent: (RowForm | undefined)[] = [];
    for (const shape of level.rows.shapes)
      for (const [isFound, forms] of [[true, found] as const, [false, absent] as const]) {
        const drafted = decidedBy === undefined && !isFound ? undefined : draft(shape, isFound);
        const form = drafted === undefined ? ok(undefined) : planForm(shape, drafted);
        if (!form.ok) return form;
        forms[shape.id] = form.value;
      }
    const { rows } = level;
    const task = this.inserts.addTask(level, {
      forms: [...found, ...absent].flatMap((form) => form ?? []),
      formOf: (row, isFound) => (isFound ? found : absent)[rows.shapeOf(row).id],
      absenceOf: () => absence,
      decidedBy,
      isSingly: true,
    });
    return ok(task);
  }

  /** Compares the values that rows repeat although they come from their parent. */
  addRepeated(level: NestedLevel, links: readonly RowLink[], planner: StatementPlanner): Result<undefined, ApiError> {
    const forms: (RowForm | undefined)[] = [];
    for (const shape of level.rows.shapes) {
      const form = planRepeated(shape, { planner, sent: shape.names, links });
      if (!form.ok) return form;
      forms[shape.id] = form.value;
    }
    const used = forms.flatMap((form) => form ?? []);
    if (used.length === 0) return ok(undefined);
    const { rows } = level;
    this.inserts.addTask(level, {
      forms: used,
      formOf: (row) => forms[rows.shapeOf(row).id],
      absenceOf: () => 'different',
      isSingly: true,
    });
    return ok(undefined);
  }

  /** Removes what is not in the list. */
  addOthers(
    verb: 'deleteOthers' | 'clearOthers',
    kept: NestedLevel | undefined,
    { planner, names, renamed, links, cleared = [], pointer }: OthersTask,
  ): Result<undefined, ApiError> {
    const linked = linkedColumns(links);
    const draft = { planner, verb, sent: names, links, match: linked, kept: names, cleared } as const;
    const first = planForm(NO_COLUMNS, draft);
    if (!first.ok) return first;
    const forms: RowForm[] = [];
    for (const shape of kept?.rows.shapes ?? []) {
      const form = planForm(shape, { ...draft, ...(renamed && { renamed }) });
      if (!form.ok) return form;
      forms.push(form.value);
    }
    const rows = kept?.rows;
    this.inserts.tasks.push({
      rows: {
        length: 1 + (rows?.length ?? 0),
        pointerOf: () => pointer,
        valueOf: (row, position) => rows?.valueOf(row - 1, position) ?? new Uint8Array(),
      },
      forms: [first.value, ...forms],
      // The first row has no key, so it keeps none.
      formOf: (row) => (row === 0 ? first.value : forms[rows?.shapeOf(row - 1).id ?? 0]),
      absenceOf: () => 'accepted',
      decidedBy: undefined,
      isSingly: false,
    });
    return ok(undefined);
  }
}

export interface OthersTask {
  readonly planner: StatementPlanner;
  readonly pointer: string;
  /** The columns of the key. */
  readonly names: readonly string[];
  /** Their names in the rows, where these differ. */
  readonly renamed?: ReadonlyMap<string, string>;
  readonly links: readonly RowLink[];
  readonly cleared?: readonly string[];
}

const NO_COLUMNS: RowShape = { id: 0, names: [] };

/** Returns the columns of a row that are, or are not, in a list. */
export function pick({ names }: RowShape, list: readonly string[], isListed = true): readonly string[] {
  return names.filter((name) => list.includes(name) === isListed);
}

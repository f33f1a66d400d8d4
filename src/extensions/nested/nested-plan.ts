// The plan of a nested write: statements for the rows of a body and their related rows, in order (`beyond.md` §2.2).
import type { ColumnPair, Relation } from '../../catalog/schema-cache.ts';
import type { Condition } from '../../plan/levels/read-plan.ts';
import type {
  ActionPlan,
  ConflictPlan,
  MutateAction,
  OldRows,
  PayloadColumn,
  PlannedRows,
  WriteParts,
} from '../../plan/actions/action-plan.ts';

/**
 * `deleteOthers` deletes the rows that match the payload and are not in it, `clearOthers` clears columns of them. `find` reads rows, `lock` also keeps their
 * keys from changing. `same` returns one row if its two rows of the payload are equal.
 */
export type NestedVerb = 'insert' | 'update' | 'delete' | 'deleteOthers' | 'clearOthers' | 'find' | 'lock' | 'same';

/** A statement, except for its rows: those with the same columns share it. */
export interface NestedStatement {
  readonly verb: NestedVerb;
  readonly relation: Relation;
  readonly columns: readonly PayloadColumn[];
  /** Absent keys take the column's default. */
  readonly appliesDefaults: boolean;
  /** Columns of the payload that select rows. */
  readonly match: readonly string[];
  /** Columns that become null. */
  readonly cleared: readonly string[];
  /** For others: the columns by which the rows of the payload are kept. */
  readonly kept: readonly string[];
  /** Further conditions on the rows. */
  readonly where: readonly Condition[];
  readonly conflict: ConflictPlan | undefined;
  /** Columns of the rows that other rows refer to. */
  readonly returned: readonly string[];
  /** How the row is returned that is overwritten (`beyond.md` §5.1); undefined: it is not. */
  readonly old: OldColumns | undefined;
}

/** Columns of a row before it is written. */
export interface OldColumns {
  readonly names: readonly string[];
  /** How the statement gets the row. */
  readonly rows: OldRows;
}

/** Values that a row takes from another row, once that row is written. */
export interface RowLink {
  readonly task: number;
  /** Returns the index of the other row for a row that has the link. */
  readonly rowOf: (row: number) => number;
  /** Pairs (column of this row, column of the other row). */
  readonly columns: readonly ColumnPair[];
}

/** How rows with the same columns and links are written. */
export interface RowForm {
  readonly statement: NestedStatement;
  /** Finds the row if the statement returns none. */
  readonly fallback: NestedStatement | undefined;
  readonly members: readonly FormMember[];
  readonly links: readonly RowLink[];
}

export interface FormMember {
  /** The column. */
  readonly name: string;
  /** Where the row has its value. */
  readonly position: number;
}

/** Rows of the body, which stay where they are. */
export interface TaskRows {
  readonly length: number;
  /** Returns the place of a row from the root of the body (RFC 6901). */
  pointerOf(row: number): string;
  /** Returns JSON text. */
  valueOf(row: number, position: number): Uint8Array;
}

/** `dropped`: a trigger has dropped a row that others refer to. `ambiguous`: not exactly one row. */
export type RowAbsence = 'accepted' | 'dropped' | 'missing' | 'different' | 'ambiguous';

/** Rows of one relation that are written one after another. */
export interface NestedTask {
  readonly rows: TaskRows;
  readonly forms: readonly RowForm[];
  /**
   * Returns undefined for a row that takes no part.
   * @param isFound whether the task in `decidedBy` has found the row with the same index
   */
  readonly formOf: (row: number, isFound: boolean) => RowForm | undefined;
  /** What it means that no row is returned. */
  readonly absenceOf: (row: number) => RowAbsence;
  /** The task that decides on the form of each row. */
  readonly decidedBy: number | undefined;
  /** Each row has its own statement, so that the returned row is known to be this one. */
  readonly isSingly: boolean;
}

export interface NestedPlan extends WriteParts {
  readonly tasks: readonly NestedTask[];
  /** The task that writes the rows of the top level. */
  readonly top: number;
  readonly maxAffected: bigint | undefined;
}

/** A write whose body contains related rows. */
export interface NestedAction extends MutateAction {
  readonly parts: NestedPlan;
}

export function isNestedAction(action: ActionPlan | PlannedRows): action is NestedAction {
  return action.kind === 'mutate' && action.parts !== undefined;
}

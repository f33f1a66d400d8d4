// The plan of a nested write: statements for the rows of a body and their related rows, in order (`beyond.md` §2.2).
import type { ColumnPair, Relation } from '../../catalog/schema-cache.ts';
import type { Condition } from '../levels/read-plan.ts';
import type { ActionPlan, ConflictPlan, MutateAction, PayloadColumn } from './action-plan.ts';

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
}

/** Values that a row takes from another row, once that row is written. */
export interface RowLink {
  readonly task: number;
  readonly row: number;
  /** Pairs (column of this row, column of the other row). */
  readonly columns: readonly ColumnPair[];
}

export interface TaskRow {
  /** RFC 6901, from the root of the body. */
  readonly pointer: string;
  readonly statement: NestedStatement;
  /** Finds the row if the statement returns none. */
  readonly fallback: NestedStatement | undefined;
  /** Members of a JSON object, as in the body: `"name":value`. */
  readonly members: readonly string[];
  readonly links: readonly RowLink[];
  /** What it means that no row is returned. */
  readonly absence: RowAbsence;
  readonly condition?: RowCondition | undefined;
}

/** The row is written only if another one was found, or only if not. */
export interface RowCondition {
  readonly task: number;
  readonly isFound: boolean;
}

/** `dropped`: a trigger has dropped a row that others refer to. `ambiguous`: not exactly one row. */
export type RowAbsence = 'accepted' | 'dropped' | 'missing' | 'different' | 'ambiguous';

/** Rows of one relation that are written one after another. */
export interface NestedTask {
  readonly rows: readonly TaskRow[];
  /** Each row has its own statement, so that the returned row is known to be this one. */
  readonly isSingly: boolean;
}

export interface NestedPlan {
  readonly tasks: readonly NestedTask[];
  /** The task that writes the rows of the top level. */
  readonly top: number;
  /** Columns of the top level that identify its rows afterwards. */
  readonly key: readonly PayloadColumn[];
  /** Whether a relation is written that the request does not name. */
  readonly hasJunctions: boolean;
  readonly maxAffected: bigint | undefined;
}

/** A write whose body contains related rows. Its own statement only returns the rows of the top level. */
export interface NestedAction extends MutateAction {
  readonly nested: NestedPlan;
}

export function isNestedAction(action: ActionPlan): action is NestedAction {
  return 'nested' in action;
}

/** Whether the write fills relations that the request does not name. */
export function linksThroughJunctions(action: ActionPlan): boolean {
  return isNestedAction(action) && action.nested.hasJunctions;
}

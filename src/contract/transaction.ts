// What the SQL stage passes to the database and gets back: one script per request, one transaction per script.
import type { BodyStream } from './body-stream.ts';
import type { Delivery } from './delivery.ts';

/** Bytes passed on unchanged, in one or more chunks, which may be too long to join. */
export type Pieces = readonly Uint8Array[];

/** A value sent in PostgreSQL's binary format (bytea from a raw body); every other value is sent as text. */
export interface BinaryParameter {
  readonly kind: 'binary';
  readonly bytes: Pieces;
}

/** `Pieces` are UTF-8 text passed through undecoded (a JSON body). */
export type ParameterValue = string | Pieces | BinaryParameter | null;

export interface Statement {
  /** Depends only on the shape of the request, so that each connection prepares it once. */
  readonly text: string;
  readonly parameters: readonly ParameterValue[];
  /** Set if the same parameters, all of them texts, are sent repeatedly. */
  readonly memo?: ParameterMemo;
}

/** Keeps parameters as they were encoded when they were sent first. */
export interface ParameterMemo {
  bytes: Uint8Array | undefined;
}

/**
 * What a transaction's database code may leave behind in the session: nothing, because no such code runs; settings; or
 * also temporary tables, advisory locks, cursors and the role.
 */
export type Leftovers = 'none' | 'settings' | 'all';

export type IsolationLevel = 'read committed' | 'repeatable read' | 'serializable';

/**
 * Returns the level that a value of `default_transaction_isolation` means; PostgreSQL has none below READ COMMITTED.
 */
export function readIsolationLevel(value: string): IsolationLevel {
  const level = value.toLowerCase();
  return level === 'repeatable read' || level === 'serializable' ? level : 'read committed';
}

export interface MainStatement extends Statement {
  readonly delivery: Delivery;
  /**
   * The statement that returns the same body in any case, with the same parameters: for a `singleRow`, in case the row is
   * long or there are more rows; for spelled rows, in case a value cannot be spelled.
   */
  readonly general?: Pick<MainStatement, 'text' | 'delivery'> | undefined;
  /**
   * For a statement that also returns the version of its row: the one that does not, with the same parameters, in case
   * the role may select some columns of the table only.
   */
  readonly unversionedText?: string;
}

/** Returns the statement that delivers any number of rows of any length and type. */
export function generalForm(main: MainStatement): MainStatement {
  const { general, parameters } = main;
  return general === undefined ? main : { ...general, parameters };
}

export interface DbOutcome {
  /** Response body as the database built it; `undefined` for SQL null. */
  readonly body: Uint8Array | BodyStream | undefined;
  /** `undefined` for `ndjson`, whose rows are not counted. */
  readonly pageRows: number | undefined;
  /** For an insert that keeps existing rows: elements of the payload that were neither inserted nor found. */
  readonly total: number | undefined;
  /** Rows the planner expects for the count query. */
  readonly plannedTotal: number | undefined;
  /** Raw text of the settings `response.headers` and `response.status`. */
  readonly settingHeaders: string | undefined;
  readonly settingStatus: string | undefined;
  /** Rows that an upsert actually inserted; `undefined` if it had no candidate rows. */
  readonly inserted: number | undefined;
  /**
   * For an insert: JSON array of the inserted row's key values as text, in the order of the plan's key; set only for a
   * single row. For a page with links: a JSON array of its ends (`extensions/pages/`). For a row with an entity tag: its
   * version. For an update: the name of a column whose stored JSON is not the array that its operation needs, or a report
   * on the elements of its payload. For a write with a condition: how many rows were given and matched.
   */
  readonly location: string | undefined;
  /** The row of the statement that runs after the commit, if there is one. */
  readonly afterCommit?: readonly (string | undefined)[];
}

/** The result of a script: the lines of an `explain` or `lines` delivery, or the outcome of any other. */
export type ScriptResult =
  | { readonly kind: 'outcome'; readonly outcome: DbOutcome }
  | { readonly kind: 'lines'; readonly lines: readonly Uint8Array[] };

export type ScriptResults = readonly [ScriptResult, ...ScriptResult[]];

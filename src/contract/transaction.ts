// What the SQL stage hands to the database and what comes back: one script per request, one transaction per script.
import type { BodyStream } from './body-stream.ts';
import type { Delivery } from './delivery.ts';
import type { LogPosition } from './log-position.ts';

/** Bytes that are passed on as they are, in one run or several, which may be too long to be joined. */
export type Pieces = readonly Uint8Array[];

/** A value sent in PostgreSQL's binary format (bytea from a raw body); every other value travels as text. */
export interface BinaryParameter {
  readonly kind: 'binary';
  readonly bytes: Pieces;
}

/** `Pieces` are UTF-8 text passed through undecoded (a JSON body). */
export type ParameterValue = string | Pieces | BinaryParameter | null;

export interface Statement {
  /** Depends on the request's shape only, so that it is prepared once per connection. */
  readonly text: string;
  readonly parameters: readonly ParameterValue[];
}

/**
 * What code in the database, run by a transaction, may leave in its session: nothing, because no such code runs; settings;
 * or also temporary tables, advisory locks, cursors and the role.
 */
export type Leftovers = 'none' | 'settings' | 'all';

export type IsolationLevel = 'read committed' | 'repeatable read' | 'serializable';

/** What a value of `default_transaction_isolation` asks for; PostgreSQL has no level below READ COMMITTED. */
export function readIsolationLevel(value: string): IsolationLevel {
  const level = value.toLowerCase();
  return level === 'repeatable read' || level === 'serializable' ? level : 'read committed';
}

export interface MainStatement extends Statement {
  readonly delivery: Delivery;
  /**
   * For a `singleRow`: the statement that delivers the same answer as a `value`, with the same parameters, in case the row
   * is long or not the only one.
   */
  readonly fallbackText?: string | undefined;
}

export interface DbOutcome {
  /** Response body as the database built it; `undefined` for SQL null. */
  readonly body: Uint8Array | BodyStream | undefined;
  /** `undefined`: the rows of `ndjson` are not counted. */
  readonly pageRows: number | undefined;
  readonly total: number | undefined;
  /** Rows the planner expects for the count query. */
  readonly plannedTotal: number | undefined;
  /** Raw text of the settings `response.headers` and `response.status`. */
  readonly settingHeaders: string | undefined;
  readonly settingStatus: string | undefined;
  /** Rows really inserted by an upsert; `undefined` when no candidate row came up. */
  readonly inserted: number | undefined;
  /** JSON array of the one inserted row's key values as text, in the order of the plan's key. */
  readonly location: string | undefined;
  /** A place in the write-ahead log behind the commit, where it was asked for. */
  readonly position?: LogPosition;
}

/** The result of a script: the lines of an `explain` delivery, or the outcome of any other. */
export type ScriptResult =
  | { readonly kind: 'outcome'; readonly outcome: DbOutcome }
  | { readonly kind: 'explain'; readonly lines: readonly Uint8Array[] };

/** Those of a script: one for each of its segments. */
export type ScriptResults = readonly [ScriptResult, ...ScriptResult[]];

// What the SQL stage hands to the database and what comes back: one script per request, one transaction per script.
import type { BodyStream } from './body-stream.ts';
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

/**
 * What the rows of a statement are whose rows make the body; all columns travel as text. `stream`: total, response_headers,
 * response_status, each as known so far, and a line. Where the rows are counted before the first, the six columns of an
 * `outcome`; behind them, `array`: an element; `csv`: the values of the row.
 */
export type RowsResult = 'stream' | 'array' | 'csv';

export interface MainStatement extends Statement {
  /**
   * `outcome`: one row with the columns page_rows, total, response_headers, response_status, optionally inserted and
   * location, and body (see `DbOutcome`), which may be long. `single`: no row, or one whose column is the body; no row stands
   * for the empty array. `lines`: one-column text rows, none or more (EXPLAIN). Others give a row for each row of the body, or
   * one without any: see `RowsResult`.
   */
  readonly result: 'outcome' | 'single' | 'lines' | RowsResult;
  /**
   * `binary` when the body column is a bytea, whose raw bytes are the response. Every column then travels in binary:
   * counts have to be int4 or int8, texts text, varchar or json (jsonb puts a version byte first).
   */
  readonly bodyFormat: 'text' | 'binary';
  /** Of a `single`: the same as an `outcome`, with the same parameters, should its rows turn out to be long or several. */
  readonly fullText?: string | undefined;
}

export interface DbOutcome {
  /** Response body as the database built it; `undefined` for SQL null. */
  readonly body: Uint8Array | BodyStream | undefined;
  /** `undefined`: of a `stream` they are not counted. */
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

/** What a script gave: by `result` of its main statement. */
export type ScriptResult =
  | { readonly kind: 'outcome'; readonly outcome: DbOutcome }
  | { readonly kind: 'lines'; readonly lines: readonly Uint8Array[] };

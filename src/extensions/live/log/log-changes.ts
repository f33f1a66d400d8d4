// What a transaction has changed, as the write-ahead log reports it.
import type { LogPosition } from '../../../contract/log-position.ts';

/** Values as text; undefined: unknown, because the value is long. */
export type LogRow = readonly (string | null | undefined)[];

export interface RowChange {
  readonly columns: readonly string[];
  /** The key, or the whole row, as it was; undefined if the key is unchanged, or the row is new. */
  readonly before: LogRow | undefined;
  /** Undefined if the row was deleted. */
  readonly after: LogRow | undefined;
}

/** `all` if the rows are not listed: TRUNCATE, a changed definition, or a very large transaction. */
export type RelationChanges = readonly RowChange[] | 'all';

export interface LogTransaction {
  /** Where its commit ends. */
  readonly position: LogPosition;
  /** Of the values in `changes`. */
  readonly byteLength: number;
  /** Without its epoch. */
  readonly xid: number;
  /** By the oid of the table; partitions have their own. */
  readonly changes: ReadonlyMap<number, RelationChanges>;
  /** Definitions that the log contained in this transaction, as `renderDefinition` renders them, by the oid of the table. */
  readonly described: ReadonlyMap<number, string>;
}

export interface LoggedColumn {
  readonly name: string;
  /** Oid. */
  readonly type: number;
}

/** @param identity the replica identity, as in `pg_class` */
export function renderDefinition(identity: string, columns: readonly LoggedColumn[]): string {
  return JSON.stringify([identity, ...columns.map(({ name, type }) => [name, type])]);
}

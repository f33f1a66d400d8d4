// Builds the requests that revert a write, from the previous values of its rows.
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import type { OutgoingRequest } from '../client/exchange.ts';
import type { JsonObject } from '../rows/json-value.ts';
import type { RowKey } from '../rows/row-links.ts';
import { deleteRowsRequest, insertRowsRequest, updateRowsRequest } from './row-requests.ts';
import type { ChangedRow } from './show-changes.ts';
import { printJson, wrap } from './value-json.ts';

/** Reverts one write. */
export interface Undo {
  readonly relation: DescribedRelation;
  /** Sent in order until one fails. */
  readonly requests: readonly OutgoingRequest[];
  /** The reverted rows; empty if all rows must be read again. */
  readonly rows: readonly ChangedRow[];
  /** The key of a single row that has its previous values again. */
  readonly restored?: RowKey | undefined;
}

/** A row before it was changed, and its key afterwards. */
export interface PreviousRow {
  readonly row: JsonObject;
  readonly before: RowKey;
  readonly after: RowKey;
}

const MAX_REQUESTS = 50;

/** Updates rows with equal values together. Returns undefined if a value is unknown or too many requests are needed. */
export function revertUpdate(
  relation: DescribedRelation,
  columns: readonly string[],
  rows: readonly PreviousRow[],
): Undo | undefined {
  const keysByBody = new Map<string, RowKey[]>();
  for (const { row, after } of rows) {
    const body = membersOf(row, columns);
    if (body === undefined) return undefined;
    keysByBody.set(body, [...(keysByBody.get(body) ?? []), after]);
  }
  if (keysByBody.size > MAX_REQUESTS) return undefined;
  const requests = [...keysByBody].map(([body, keys]): OutgoingRequest => updateRowsRequest(relation, keys, body));
  const changed = rows.map(({ before, after }): ChangedRow => ({ before: after, after: before }));
  const [only, ...others] = changed;
  return { relation, requests, rows: changed, restored: others.length === 0 ? only?.after : undefined };
}

export function revertInsert(relation: DescribedRelation, key: RowKey): Undo | undefined {
  if (!relation.may.delete) return undefined;
  return { relation, requests: [deleteRowsRequest(relation, [key])], rows: [] };
}

/** Returns undefined if the role cannot read or insert all values of the rows, such as generated keys. */
export function revertDelete(
  relation: DescribedRelation,
  rows: readonly JsonObject[],
  restored?: RowKey,
): Undo | undefined {
  const stored = relation.columns.filter((column) => column.may.insert && !column.isComputed);
  const columns = stored.map(({ name }) => name);
  if (!relation.may.insert || !relation.key.every((name) => columns.includes(name))) return undefined;
  const bodies = rows.flatMap((row) => membersOf(row, columns) ?? []);
  if (bodies.length < rows.length) return undefined;
  return { relation, requests: [insertRowsRequest(relation, wrap('[]', bodies))], rows: [], restored };
}

/** Returns undefined if the row lacks a column. */
function membersOf(row: JsonObject, columns: readonly string[]): string | undefined {
  const values = new Map(row.entries);
  const members = columns.flatMap((name) => {
    const value = values.get(name);
    return value === undefined ? [] : [`${JSON.stringify(name)}: ${printJson(value)}`];
  });
  return members.length === columns.length ? wrap('{}', members) : undefined;
}

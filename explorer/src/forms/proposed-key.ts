// Proposes the next number for the primary key of a new row, where the database does not generate it.
import type { DescribedColumn, DescribedRelation } from '../../../src/contract/schema-document.ts';
import { findLookUp } from '../builder/look-up.ts';
import type { Exchange, OutgoingRequest } from '../client/exchange.ts';
import { parseJson } from '../rows/json-value.ts';
import { textOf } from '../rows/row-links.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { columnField, columnItem } from '../url-state/edit-columns.ts';
import { setOrder } from '../url-state/edit-order.ts';
import { setLimit } from '../url-state/edit-ranges.ts';
import { changeParams } from '../url-state/levels.ts';
import { createModel } from '../url-state/query-model.ts';
import { renderUrl } from '../url-state/render-url.ts';

/** The highest value of each type. */
const LIMITS: ReadonlyMap<string, bigint> = new Map([
  ['smallint', 2n ** 15n - 1n],
  ['integer', 2n ** 31n - 1n],
  ['bigint', 2n ** 63n - 1n],
]);

/** Returns the key if it is a single number that an insert must contain and that references no other row. */
export function findNumberedKey(schema: SchemaIndex, relation: DescribedRelation): DescribedColumn | undefined {
  const [name, second] = relation.key;
  if (name === undefined || second !== undefined || !relation.may.select) return undefined;
  const column = relation.columns.find((one) => one.name === name);
  if (column === undefined || column.default !== undefined || column.isGenerated) return undefined;
  const isNumber = LIMITS.has(column.type.name) && !column.type.isArray;
  const isAllowed = column.may.select && column.may.insert;
  return isNumber && isAllowed && findLookUp(schema, relation, name) === undefined ? column : undefined;
}

/** Requests the highest value that the role can read. */
export function highestKeyRequest(relation: DescribedRelation, { name }: DescribedColumn): OutgoingRequest {
  const selected = changeParams(createModel({ kind: 'relation', name: relation.name }), { select: [columnItem(name)] });
  const last = { relation: undefined, field: columnField(name), direction: 'desc', nulls: undefined } as const;
  const url = renderUrl(setLimit(setOrder(selected, [], [last]), [], 1));
  return { method: 'GET', url, headers: [['Accept', 'application/json']], body: undefined };
}

/** Returns undefined if the highest value could not be read, or if the type has no higher one. */
export function readProposal({ type }: DescribedColumn, exchange: Exchange): string | undefined {
  if (exchange.kind !== 'answered' || exchange.response.status !== 200) return undefined;
  const rows = parseJson(exchange.response.text);
  if (rows?.kind !== 'array') return undefined;
  const [row] = rows.items;
  const value = row?.kind === 'object' ? row.entries[0]?.[1] : undefined;
  const highest = BigInt((value && textOf(value)) ?? '0');
  const next = highest < 0n ? 1n : highest + 1n;
  return next > (LIMITS.get(type.name) ?? 0n) ? undefined : String(next);
}

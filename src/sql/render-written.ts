// Renders the rows of the top level of a nested write: as they are read again after it, or only their keys.
import { quoteIdentifier } from '../contract/identifiers.ts';
import type { PayloadColumn } from '../plan/actions/action-plan.ts';
import type { NestedPlan } from '../plan/actions/nested-plan.ts';
import { renderPayloadRows } from './writes/payload.ts';
import { quoteQualified } from './text/identifier.ts';
import type { StatementBuilder } from './text/statement-builder.ts';
import type { Relation } from '../catalog/schema-cache.ts';

/** Renders one row of keys for each row that was written. */
export function renderWrittenKeys({ key }: NestedPlan, builder: StatementBuilder): string {
  const payload = { bytes: [], isArray: true, columns: key, appliesDefaults: false, batches: undefined };
  return renderPayloadRows(payload, builder);
}

/** @param columns what to read, or everything */
export function renderWrittenRows(
  { key }: NestedPlan,
  { relation, columns }: { readonly relation: Relation; readonly columns: string },
  builder: StatementBuilder,
): string {
  const ref = quoteIdentifier(relation.name.name);
  const [row, place] = [builder.alias(), builder.alias()];
  const names = key.map(nameOf);
  const types = key.map((each) => `${nameOf(each)} ${each.column.nominalType}`);
  const keys = `json_to_recordset(${builder.bindPayload([])}::json) AS (${types.join(', ')})`;
  const match = names.map((name) => `${ref}.${name} = ${row}.${name}`);
  return (
    `SELECT ${columns} FROM ROWS FROM (${keys}) WITH ORDINALITY AS ${row}(${names.join(', ')}, ${place}) ` +
    `INNER JOIN ${quoteQualified(relation.name)} ON ${match.join(' AND ')} ORDER BY ${row}.${place}`
  );
}

function nameOf({ column }: PayloadColumn): string {
  return quoteIdentifier(column.name);
}

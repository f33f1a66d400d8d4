// Renders the rows that other statements have written: as they are read again, or only their keys.
import { quoteIdentifier } from '../contract/identifiers.ts';
import type { PayloadColumn } from '../plan/actions/action-plan.ts';
import { renderPayloadRows } from './writes/payload.ts';
import { quoteQualified } from './text/identifier.ts';
import type { StatementBuilder } from './text/statement-builder.ts';
import type { WrittenRows } from './writes/written-rows.ts';
import type { Relation } from '../catalog/schema-cache.ts';

/** Renders one row of keys for each row that was written. */
export function renderWrittenKeys(key: readonly PayloadColumn[], builder: StatementBuilder): string {
  const payload = { bytes: [], isArray: true, columns: key, appliesDefaults: false, batches: undefined };
  return renderPayloadRows(payload, builder);
}

/**
 * @param columns what to read, or everything
 * @param saved the column with the values of the row before; undefined: they are not shown
 */
export function renderWrittenRows(
  key: readonly PayloadColumn[],
  relation: Relation,
  columns: string,
  saved: string | undefined,
  builder: StatementBuilder,
): string {
  const ref = quoteIdentifier(relation.name.name);
  const [row, place] = [builder.alias(), builder.alias()];
  const names = key.map(nameOf);
  const types = key.map((each) => `${nameOf(each)} ${each.column.nominalType}`);
  const given = [...names, ...(saved === undefined ? [] : [saved])];
  const givenTypes = [...types, ...(saved === undefined ? [] : [`${saved} text`])];
  const keys = `json_to_recordset(${builder.bindPayload([])}::json) AS (${givenTypes.join(', ')})`;
  const match = names.map((name) => `${ref}.${name} = ${row}.${name}`);
  const shown = saved === undefined ? columns : `${columns}, ${row}.${saved}::text[] AS ${saved}`;
  return (
    `SELECT ${shown} FROM ROWS FROM (${keys}) WITH ORDINALITY AS ${row}(${given.join(', ')}, ${place}) ` +
    `INNER JOIN ${quoteQualified(relation.name)} ON ${match.join(' AND ')} ORDER BY ${row}.${place}`
  );
}

/** Finds rows by their keys, in the order of the keys. */
export function renderRowsByKey(
  key: readonly PayloadColumn[],
  relation: Relation,
  builder: StatementBuilder,
): WrittenRows['source'] {
  const ref = quoteIdentifier(relation.name.name);
  const names = key.map(nameOf);
  const types = key.map((each) => `${nameOf(each)} ${each.column.nominalType}`).join(', ');
  const keys = `json_to_recordset(${builder.bindPayload([])}::json) AS "_key"(${types})`;
  const list = (table: string): string => names.map((name) => `${table}.${name}`).join(', ');
  const text = (table: string): string => `json_build_array(${list(table)})::text`;
  return {
    from: quoteQualified(relation.name),
    conditions: [`(${list(ref)}) IN (SELECT ${list('"_key"')} FROM ${keys})`],
    order: `array_position(ARRAY(SELECT ${text('"_key"')} FROM ${keys}), ${text(ref)})`,
  };
}

function nameOf({ column }: PayloadColumn): string {
  return quoteIdentifier(column.name);
}

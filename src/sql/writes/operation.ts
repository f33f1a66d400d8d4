// Renders how a PATCH combines a value with the stored one (`beyond.md` §2.6). PostgreSQL computes it within the UPDATE,
// so that concurrent patches of different keys do not overwrite each other. Results are aggregated as `json`: for each
// string inside an element, `jsonb_agg` and `jsonb_object_agg` scan the strings after it too, and nothing interrupts them.
import { assertNever } from '../../contract/result.ts';
import type { OperationPlan } from '../../plan/actions/action-plan.ts';
import type { StatementBuilder } from '../text/statement-builder.ts';

export interface OperationContext {
  readonly builder: StatementBuilder;
  /** Name of the setting that names a column whose stored JSON is not an array. */
  readonly fault: string;
}

/** Names of the column and the expressions of its values. */
export interface Operands {
  readonly column: string;
  readonly stored: string;
  readonly given: string;
}

/** @returns the new value, which the UPDATE casts to the type of the column */
export function renderOperation(
  { kind, depth }: OperationPlan,
  operands: Operands,
  { builder, fault }: OperationContext,
): string {
  const { stored, given } = operands;
  switch (kind) {
    case 'add':
      return `${stored} OPERATOR(pg_catalog.+) ${given}`;
    case 'appendArray':
      return `array_cat(${stored}, ${given})`;
    case 'removeFromArray':
      return `array_remove(${stored}, ${given})`;
    case 'appendJson':
      return renderForArrays(operands, { whenNull: given, whenArray: `${stored} || ${given}` }, { builder, fault });
    case 'removeFromJson': {
      const [element, rest] = [builder.alias(), `coalesce(${given}, 'null')`];
      const kept = `SELECT coalesce(json_agg(${element}."v" ORDER BY ${element}."n"), '[]')::jsonb`;
      const elements = `jsonb_array_elements(${stored}) WITH ORDINALITY AS ${element}("v", "n")`;
      const whenArray = `(${kept} FROM ${elements} WHERE ${element}."v" <> ${rest})`;
      return renderForArrays(operands, { whenNull: 'NULL', whenArray }, { builder, fault });
    }
    case 'merge':
      return renderMerge(`${stored}::jsonb`, given, depth, builder);
    default:
      return assertNever(kind);
  }
}

/** Keeps any other stored value and reports the column; the transaction is then rolled back. */
function renderForArrays(
  { column, stored }: Operands,
  { whenNull, whenArray }: { readonly whenNull: string; readonly whenArray: string },
  { builder, fault }: OperationContext,
): string {
  const report = `CASE WHEN set_config('${fault}', ${builder.bind(column)}, true) <> '' THEN ${stored} END`;
  return joined([
    `CASE WHEN ${stored} IS NULL THEN ${whenNull}`,
    `WHEN jsonb_typeof(${stored}) = 'array' THEN ${whenArray}`,
    `ELSE ${report} END`,
  ]);
}

/**
 * Merges two objects as RFC 7396 does; anything else that is stored counts as an empty object.
 *
 * @param depth levels of objects in the patch
 */
function renderMerge(stored: string, patch: string, depth: number, builder: StatementBuilder): string {
  const [old, change] = [builder.alias(), builder.alias()];
  const [storedValue, value] = [`${old}."value"`, `${change}."value"`];
  const nested =
    depth > 1
      ? ` WHEN jsonb_typeof(${value}) = 'object' THEN ${renderMerge(storedValue, value, depth - 1, builder)}`
      : '';
  const merged = `CASE WHEN ${change}."key" IS NULL THEN ${storedValue}${nested} ELSE ${value} END`;
  const object = `CASE WHEN jsonb_typeof(${stored}) = 'object' THEN ${stored} ELSE '{}' END`;
  return joined([
    `(SELECT coalesce(json_object_agg(coalesce(${old}."key", ${change}."key"), ${merged}), '{}')::jsonb`,
    `FROM jsonb_each(${object}) AS ${old}`,
    `FULL JOIN jsonb_each(CASE WHEN jsonb_typeof(${patch}) = 'object' THEN ${patch} END) AS ${change} ON ${change}."key" = ${old}."key"`,
    // Removed keys.
    `WHERE jsonb_typeof(${value}) IS DISTINCT FROM 'null')`,
  ]);
}

function joined(parts: readonly string[]): string {
  return parts.join(' ');
}

// PayloadPlan → a row source of one array for each column (`beyond.md` §2.5), which costs the database less than JSON.
import { quoteIdentifier } from '../contract/identifiers.ts';
import type { PayloadColumn, PayloadPlan } from '../plan/actions/action-plan.ts';
import type { Setting } from './text/settings.ts';
import type { StatementBuilder } from './text/statement-builder.ts';

/** Without it NULL in an array is a text, wherever a database or a role wants that. */
export const COLUMN_SETTINGS: readonly Setting[] = [['array_nulls', 'on']];

/**
 * Types whose values in an array are read as those of JSON strings are, by the type's own input, and the names under which
 * no search path hides them. Not those that are arrays or JSON themselves, nor intervals, whose modifiers change what a
 * text means. Modifiers are applied when the row is stored, in the same words.
 */
const ELEMENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['smallint', 'int2'],
  ['integer', 'int4'],
  ['bigint', 'int8'],
  ['numeric', 'numeric'],
  ['real', 'float4'],
  ['double precision', 'float8'],
  ['boolean', 'bool'],
  ['text', 'text'],
  ['character varying', 'varchar'],
  ['character', 'bpchar'],
  ['uuid', 'uuid'],
  ['date', 'date'],
  ['time without time zone', 'time'],
  ['time with time zone', 'timetz'],
  ['timestamp without time zone', 'timestamp'],
  ['timestamp with time zone', 'timestamptz'],
  ['bytea', 'bytea'],
  ['inet', 'inet'],
  ['cidr', 'cidr'],
]);

const MODIFIERS = /\(\d+(?:,-?\d+)?\)/u;

export function mayComeAsColumns({ columns, appliesDefaults, batches }: PayloadPlan): boolean {
  return batches?.isTabular === true && !appliesDefaults && columns.every((column) => findElementType(column));
}

/** As `renderPayloadRows`; the arrays are the first parameters, in the order of the columns. */
export function renderPayloadColumns({ columns }: PayloadPlan, builder: StatementBuilder): string {
  const row = builder.alias();
  // Schemas of the search path may have an `unnest` of their own for arrays of one type.
  const sources = columns.map((column) => {
    const array = `${builder.bind(null)}::pg_catalog.${findElementType(column) ?? 'text'}[]`;
    return `pg_catalog.unnest(${array})`;
  });
  const names = columns.map(({ column }) => quoteIdentifier(column.name));
  const values = names.map((name) => `${row}.${name}`);
  return `SELECT ${values.join(', ')} FROM ROWS FROM (${sources.join(', ')}) AS ${row}(${names.join(', ')})`;
}

/** @returns undefined for a domain, too */
function findElementType({ column, reader }: PayloadColumn): string | undefined {
  const isItself = column.nominalType.replace(MODIFIERS, '') === column.type;
  return reader === undefined && isItself ? ELEMENT_TYPES.get(column.type) : undefined;
}

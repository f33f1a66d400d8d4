// Renders the payload as a row source from one array per column (`beyond.md` §2.5), which costs the database less than
// JSON.
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { PayloadColumn, PayloadPlan } from '../../plan/actions/action-plan.ts';
import type { Setting } from '../text/settings.ts';
import type { StatementBuilder } from '../text/statement-builder.ts';

/** Ensures that NULL in an array literal means null, whatever a database or role has configured. */
export const COLUMN_SETTINGS: readonly Setting[] = [['array_nulls', 'on']];

/**
 * Types whose array elements are parsed like JSON strings, by the input function of the type, mapped to names that no
 * search path can shadow. Excludes arrays, JSON, and intervals, whose modifiers change the meaning of the text.
 * Modifiers of the other types are applied when the row is stored, with the same errors.
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

export function canPassAsColumns({ columns, appliesDefaults, batches }: PayloadPlan): boolean {
  return batches?.isTabular === true && !appliesDefaults && columns.every((column) => findElementType(column));
}

/** Like `renderPayloadRows`. The arrays are the first parameters, in the order of the columns. */
export function renderPayloadColumns({ columns }: PayloadPlan, builder: StatementBuilder): string {
  const row = builder.alias();
  // Qualified, because a schema of the search path may define its own `unnest`.
  const sources = columns.map((column) => {
    const array = `${builder.bind(null)}::pg_catalog.${findElementType(column) ?? 'text'}[]`;
    return `pg_catalog.unnest(${array})`;
  });
  const names = columns.map(({ column }) => quoteIdentifier(column.name));
  const values = names.map((name) => `${row}.${name}`);
  return `SELECT ${values.join(', ')} FROM ROWS FROM (${sources.join(', ')}) AS ${row}(${names.join(', ')})`;
}

/** @returns undefined also for domains */
function findElementType({ column, reader }: PayloadColumn): string | undefined {
  const isItself = column.nominalType.replace(MODIFIERS, '') === column.type;
  return reader === undefined && isItself ? ELEMENT_TYPES.get(column.type) : undefined;
}

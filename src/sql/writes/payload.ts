// Renders the payload as a typed row source that the database parses from the JSON bytes
// (`writing.md` §4.1, §4.5, §11).
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { PayloadColumn, PayloadPlan } from '../../plan/actions/action-plan.ts';
import { quoteQualified } from '../text/identifier.ts';
import type { StatementBuilder } from '../text/statement-builder.ts';

/** `jsonb_build_object` takes at most 100 arguments. */
const PAIRS_PER_OBJECT = 50;

/**
 * An object is read as an array of one, because Citus cannot plan `json_to_record` in an UPDATE.
 *
 * @returns a SELECT of one row per payload object with the payload's columns under their names
 */
export function renderPayloadRows(payload: PayloadPlan, builder: StatementBuilder): string {
  // Rows without columns: one for an object, one per element for an array.
  if (payload.columns.length === 0)
    return payload.isArray ? `SELECT FROM json_array_elements(${builder.bindPayload(payload.bytes)}::json)` : 'SELECT';
  const body = builder.bindPayload(payload.bytes);
  const row = builder.alias();
  const types = payload.columns.map(({ column, reader, operation }) => {
    return `${quoteIdentifier(column.name)} ${operation?.operandType ?? (reader ? 'json' : column.nominalType)}`;
  });
  const source = payload.appliesDefaults
    ? renderDefaultedSource(payload, body, builder)
    : {
        text: `json_to_recordset(${payload.isArray ? `${body}::json` : `json_build_array(${body}::json)`})`,
        object: undefined,
      };
  const values = payload.columns.map((column) => renderValue(column, { row, object: source.object }, builder));
  return `SELECT ${values.join(', ')} FROM ${source.text} AS ${row}(${types.join(', ')})`;
}

interface ValueSource {
  readonly row: string;
  /** The object that was sent, as `jsonb`, if defaults apply. */
  readonly object: string | undefined;
}

/** Converts the sent value. A default is already a value of the domain and is not converted. */
function renderValue({ column, reader }: PayloadColumn, source: ValueSource, builder: StatementBuilder): string {
  const name = quoteIdentifier(column.name);
  const value = `${source.row}.${name}`;
  if (reader === undefined) return value;
  const converted = `${quoteQualified(reader)}(${value})`;
  const { defaultExpression } = column;
  if (source.object === undefined || defaultExpression === undefined) return `${converted} AS ${name}`;
  const isSent = `${source.object} ? ${builder.bind(column.name)}::text`;
  return `CASE WHEN ${isSent} THEN ${converted} ELSE ${defaultExpression} END AS ${name}`;
}

/**
 * Merges each object over the column defaults, evaluated once per row. Converted columns apply their defaults
 * separately.
 */
function renderDefaultedSource(
  payload: PayloadPlan,
  body: string,
  builder: StatementBuilder,
): { readonly text: string; readonly object: string } {
  const plain = payload.columns.filter(({ reader }) => reader === undefined);
  const pairs = plain.flatMap(({ column }) =>
    column.defaultExpression === undefined ? [] : [`${builder.bind(column.name)}::text, ${column.defaultExpression}`],
  );
  const objects = [];
  for (let start = 0; start < pairs.length; start += PAIRS_PER_OBJECT)
    objects.push(`jsonb_build_object(${pairs.slice(start, start + PAIRS_PER_OBJECT).join(', ')})`);
  const defaults = objects.length === 0 ? "'{}'::jsonb" : objects.join(' || ');
  if (!payload.isArray) {
    const object = `${body}::jsonb`;
    return { text: `jsonb_to_recordset(jsonb_build_array(${defaults} || ${object}))`, object };
  }
  const element = builder.alias();
  const object = `${element}."v"`;
  const elements = `jsonb_array_elements(${body}::jsonb) AS ${element}("v")`;
  // An element that is not an object turns `||` into an array, which `jsonb_to_recordset` rejects with the usual
  // message.
  return { text: `${elements}, LATERAL jsonb_to_recordset(jsonb_build_array(${defaults} || ${object}))`, object };
}

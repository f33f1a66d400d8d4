// Renders the expression that builds the response body in the database (`writing.md` §15.4, `reading.md` §15).
import { quoteIdentifier } from '../contract/identifiers.ts';
import { assertNever } from '../contract/result.ts';
import type { SingleRowFormat, ValueFormat } from '../plan/actions/delivery-plan.ts';
import { quoteQualified } from './text/identifier.ts';

/**
 * How the rows form the result: a `set` of rows, one `row`, the `values` of a scalar column, or one `value`.
 * `scalarColumn` names that column.
 */
export type RowsShape = 'set' | 'row' | 'values' | 'value';

export interface BodySource {
  /** Quoted alias of the rows. */
  readonly rows: string;
  readonly shape: RowsShape;
  readonly scalarColumn: string;
}

export function renderBody(format: ValueFormat, source: BodySource): string {
  switch (format.kind) {
    case 'json':
      return format.stripped ? stripNulls(renderJson(source)) : renderJson(source);
    case 'object':
      return renderObject(source, format.stripped);
    case 'ndjson':
      return `coalesce(string_agg(${renderLine(source)} || E'\\n', ''), '')`;
    case 'geojson':
      return (
        "json_build_object('type', 'FeatureCollection', 'features', " +
        `coalesce(json_agg(ST_AsGeoJSON(${source.rows}.*)::json), '[]'))`
      );
    case 'custom':
      return renderCustom(format, source);
    default:
      return assertNever(format);
  }
}

function scalar({ rows, scalarColumn }: BodySource): string {
  return `${rows}.${quoteIdentifier(scalarColumn)}`;
}

function renderJson(source: BodySource): string {
  switch (source.shape) {
    case 'set':
      return `coalesce(json_agg(${source.rows}.*), '[]')`;
    case 'row':
      return `coalesce(json_agg(${source.rows}.*)->0, 'null')`;
    case 'values':
      return `coalesce(json_agg(${scalar(source)}), '[]')`;
    case 'value':
      return `coalesce(json_agg(${scalar(source)})->0, 'null')`;
  }
}

function stripNulls(json: string): string {
  return `json_strip_nulls(${json})`;
}

/**
 * Renders one row as an object. Several rows fail the request anyway, so it does not matter that their texts are
 * concatenated.
 */
function renderObject(source: BodySource, isStripped: boolean): string {
  if (source.shape === 'value') return isStripped ? stripNulls(renderJson(source)) : renderJson(source);
  return `coalesce(string_agg(${renderSingle({ kind: 'object', stripped: isStripped }, source.rows)}::text, ''), 'null')`;
}

/**
 * Renders a separate body for each row.
 *
 * @param rows quoted alias
 */
export function renderSingle({ kind, stripped }: SingleRowFormat, rows: string): string {
  const json = kind === 'json' ? `json_build_array(${rows}.*)` : `row_to_json(${rows}.*)`;
  return stripped ? stripNulls(json) : json;
}

/**
 * Renders one row as a line of JSON. Line feeds occur only between tokens of json values, so they can become spaces.
 */
export function renderLine(source: BodySource): string {
  const isRow = source.shape === 'set' || source.shape === 'row';
  const json = isRow ? `row_to_json(${source.rows}.*)::text` : `coalesce(to_json(${scalar(source)})::text, 'null')`;
  return `replace(${json}, E'\\n', ' ')`;
}

function renderCustom({ handler }: Extract<ValueFormat, { kind: 'custom' }>, source: BodySource): string {
  if (handler.kind === 'function') return `(array_agg(${scalar(source)}))[1]`;
  const routine = quoteQualified(handler.routine);
  if (handler.element === undefined) return `${routine}(${source.rows}.*)`;
  return `${routine}((${source.rows}.*)::${quoteQualified(handler.element)})`;
}

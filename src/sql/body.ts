// Rows → the response body, built by the database (`writing.md` §15.4, `reading.md` §15).
import { quoteIdentifier } from '../contract/identifiers.ts';
import { assertNever } from '../contract/result.ts';
import type { BodyFormat } from '../plan/negotiation/negotiate.ts';
import { quoteQualified } from './identifier.ts';

/**
 * How the rows make the result: `set` of rows, one `row`, `values` of a scalar column, one `value`. The scalar column is
 * named by `scalarColumn`.
 */
export type RowsShape = 'set' | 'row' | 'values' | 'value';

export interface BodySource {
  /** Quoted alias of the rows. */
  readonly rows: string;
  readonly shape: RowsShape;
  readonly scalarColumn: string;
}

export function renderBody(format: BodyFormat, source: BodySource): string {
  switch (format.kind) {
    case 'json':
      return format.stripped ? stripNulls(renderJson(source)) : renderJson(source);
    case 'object':
      return renderObject(source, format.stripped);
    case 'csv':
      return renderCsv(source);
    case 'lines':
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

/** Of the one row; with several the request fails anyway, so their texts may run together. */
function renderObject(source: BodySource, isStripped: boolean): string {
  const strip = isStripped ? stripNulls : (json: string) => json;
  if (source.shape === 'value') return strip(renderJson(source));
  return `coalesce(string_agg(${strip(`row_to_json(${source.rows}.*)`)}::text, ''), 'null')`;
}

/** One row as JSON. A line feed in it stands between tokens, in a value of type json. */
export function renderLine(source: BodySource): string {
  const isRow = source.shape === 'set' || source.shape === 'row';
  const json = isRow ? `row_to_json(${source.rows}.*)::text` : `coalesce(to_json(${scalar(source)})::text, 'null')`;
  return `replace(${json}, E'\\n', ' ')`;
}

/**
 * What the lines of CSV are made of: of each row PostgreSQL's text of it as bytes, from which the parentheses can be cut
 * without counting characters, and of the first one its keys.
 *
 * @param query of the rows
 * @param rows quoted alias for them
 */
export function renderCsvRows(query: string, rows: string): string {
  const keys = `SELECT coalesce(string_agg("k", ','), '') || E'\\n' FROM json_object_keys(row_to_json(${rows}.*)) AS "k"`;
  return (
    `SELECT textsend((${rows}.*)::text) AS "line", ` +
    `CASE WHEN row_number() OVER () = 1 THEN textsend((${keys})) END AS "header" FROM (${query}) AS ${rows}`
  );
}

/** CSV without rows. */
export const EMPTY_CSV = "E'\\n'::bytea";

/** Of rows as `renderCsvRows` gives them; bytes. */
function renderCsv({ rows }: BodySource): string {
  return `coalesce(string_agg(${renderCsvPiece(rows)}, ''::bytea), ${EMPTY_CSV})`;
}

/** What CSV is made of, one behind the other, from rows as `renderCsvRows` gives them; bytes. */
export function renderCsvPiece(rows: string): string {
  const line = `substring(${rows}."line" FROM 2 FOR octet_length(${rows}."line") - 2)`;
  return `coalesce(${rows}."header", E'\\n'::bytea) || ${line}`;
}

function renderCustom({ handler }: Extract<BodyFormat, { kind: 'custom' }>, source: BodySource): string {
  if (handler.kind === 'function') return `(array_agg(${scalar(source)}))[1]`;
  const routine = quoteQualified(handler.routine);
  if (handler.element === undefined) return `${routine}(${source.rows}.*)`;
  return `${routine}((${source.rows}.*)::${quoteQualified(handler.element)})`;
}

// Rows of any action → the one statement whose single row is the outcome (`contract/transaction.ts`, DbOutcome).
import type { MainStatement } from '../contract/transaction.ts';
import type { RowsPlan } from '../plan/actions/action-plan.ts';
import { renderBody, renderLine, renderSingle, type RowsShape } from './body.ts';
import { joinClauses } from './read.ts';
import type { StatementBuilder } from './statement-builder.ts';

export interface OutcomeParts {
  /** Common table expressions, `"name" AS (…)`. */
  readonly with: readonly string[];
  /** Query of the rows that show. */
  readonly rows: string;
  readonly shape: RowsShape;
  readonly scalarColumn: string;
  /** False: no body is wanted, only the number of rows. */
  readonly hasBody: boolean;
  /** Scalar expression of the number of rows; undefined: they are counted as they come. */
  readonly pageRows: string | undefined;
  /** Scalar expression of the total, if the statement computes it. */
  readonly total: string | undefined;
  /** Table expression that is sure to have run to its end when settings are read; undefined: the rows see to that. */
  readonly settledBy: string | undefined;
  /** Expressions of the columns `inserted` and `location`; none for what does not insert. */
  readonly extra: readonly string[];
}

/** Embedded values show as text in CSV; an aggregate finds the operators of jsonb. */
export function nestedTypeOf(plan: RowsPlan): 'json' | 'jsonb' {
  const { kind } = plan.output.format;
  return kind === 'csv' || kind === 'custom' ? 'jsonb' : 'json';
}

export function renderOutcome(plan: RowsPlan, parts: OutcomeParts, builder: StatementBuilder): MainStatement {
  const { format } = plan.output;
  if (parts.hasBody && format.kind === 'csv') return renderCountedRows(parts, 'csv', builder);
  if (parts.hasBody && (plan.pageRows === 'countedFirst' || plan.pageRows === 'countedApart'))
    return renderCountedRows(parts, 'array', builder);
  if (parts.hasBody && (plan.pageRows === 'expected' || plan.pageRows === 'unknown'))
    return renderStream(parts, builder);
  const rows = builder.alias();
  const { shape, scalarColumn } = parts;
  const body = parts.hasBody && format.kind !== 'csv' ? renderBody(format, { rows, shape, scalarColumn }) : "''";
  // The rows of a HEAD fail like those of a GET: PostgreSQL must not skip what it need not show.
  const pageRows = plan.isHead ? `count(${rows}.*)` : 'count(*)';
  const columns = [
    `${pageRows} AS "page_rows"`,
    `${parts.total ?? 'NULL::bigint'} AS "total"`,
    ...settingColumns(parts),
    ...parts.extra,
    `${body} AS "body"`,
  ];
  const text = joinClauses([
    parts.with.length > 0 ? `WITH ${parts.with.join(', ')}` : '',
    `SELECT ${columns.join(', ')}`,
    `FROM (${parts.rows}) AS ${rows}`,
  ]);
  const isBinary = parts.hasBody && format.kind === 'custom' && format.handler.isBinary;
  const { parameters } = builder;
  if (parts.hasBody && plan.pageRows === 'oneAtMost' && (format.kind === 'json' || format.kind === 'object')) {
    // Nothing but the body: without a row there is none, and nothing else is to be known.
    const single = `SELECT ${renderSingle(format, rows)} AS "body" FROM (${parts.rows}) AS ${rows}`;
    return { text: single, parameters, result: 'single', bodyFormat: 'text', fullText: text };
  }
  return { text, parameters, result: 'outcome', bodyFormat: isBinary ? 'binary' : 'text' };
}

/** The head stands before the rows, so that there is one without any; settings are read again for each row that may set some. */
function renderStream(parts: OutcomeParts, builder: StatementBuilder): MainStatement {
  const [head, rows, lines] = [builder.alias(), builder.alias(), builder.alias()];
  const { shape, scalarColumn } = parts;
  const line = renderLine({ rows, shape, scalarColumn });
  const columns = [`${head}."total"`, ...settingColumns(parts), `${lines}."line"`];
  const text = joinClauses([
    parts.with.length > 0 ? `WITH ${parts.with.join(', ')}` : '',
    `SELECT ${columns.join(', ')}`,
    `FROM (SELECT ${parts.total ?? 'NULL::bigint'} AS "total") AS ${head}`,
    `LEFT JOIN (SELECT ${line} AS "line" FROM (${parts.rows}) AS ${rows}) AS ${lines} ON TRUE`,
  ]);
  return { text, parameters: builder.parameters, result: 'stream', bodyFormat: 'text' };
}

/**
 * The rows follow their number. Where they are not counted apart, PostgreSQL keeps them until they are sent, on disk where
 * they are many. Either way it holds little in memory, and waits for whoever reads them.
 */
function renderCountedRows(parts: OutcomeParts, result: 'array' | 'csv', builder: StatementBuilder): MainStatement {
  const [rows, head] = [builder.alias(), builder.alias()];
  const isKept = parts.pageRows === undefined;
  const columns = [
    `${parts.pageRows ?? 'count(*)'} AS "page_rows"`,
    `${parts.total ?? 'NULL::bigint'} AS "total"`,
    ...settingColumns(parts),
    ...(parts.extra.length > 0 ? parts.extra : ['NULL AS "inserted"', 'NULL AS "location"']),
  ];
  const shown = result === 'csv' ? `${rows}.*` : `row_to_json(${rows}.*)::text AS "element"`;
  const tables = [...parts.with, ...(isKept ? [`${rows} AS MATERIALIZED (${parts.rows})`] : [])];
  const text = joinClauses([
    tables.length > 0 ? `WITH ${tables.join(', ')}` : '',
    `SELECT ${head}.*, ${shown}`,
    `FROM (SELECT ${columns.join(', ')}${isKept ? ` FROM ${rows}` : ''}) AS ${head}`,
    `LEFT JOIN ${isKept ? rows : `(${parts.rows}) AS ${rows}`} ON TRUE`,
  ]);
  return { text, parameters: builder.parameters, result, bodyFormat: 'text' };
}

function settingColumns({ settledBy }: OutcomeParts): readonly string[] {
  return [
    `${renderSetting('response.headers', settledBy)} AS "response_headers"`,
    `${renderSetting('response.status', settledBy)} AS "response_status"`,
  ];
}

function renderSetting(name: string, source: string | undefined): string {
  return source === undefined ? `nullif(current_setting('${name}', true), '')` : renderSettingAfter(name, source);
}

/** The setting as it is once every row of the table expression has been through. */
export function renderSettingAfter(name: string, source: string): string {
  return `(SELECT ${renderSetting(name, undefined)} FROM (SELECT count(*) FROM ${source}) AS "n")`;
}

// Renders the main statement of any action, which returns its rows as the delivery requires (`contract/delivery.ts`).
import { ROW_CONTENTS } from '../contract/delivery.ts';
import { quoteIdentifier } from '../contract/identifiers.ts';
import { renderSetting } from './text/read-setting.ts';
import type { MainStatement } from '../contract/transaction.ts';
import type { RowsPlan } from '../plan/actions/action-plan.ts';
import {
  type AnswerDelivery,
  answerOf,
  type DeliveryPlan,
  type NoBody,
  type SpelledLines,
  type SpelledRows,
  type UnspelledLines,
  type UnspelledRows,
  type ValueFormat,
} from '../plan/actions/delivery-plan.ts';
import type { SpelledColumn, Spelling } from '../plan/levels/plan-spelling.ts';
import { renderBody, renderLine, renderSingle, type RowsShape } from './body.ts';
import { joinClauses } from './levels/read.ts';
import type { StatementBuilder } from './text/statement-builder.ts';

/** Whether the server can spell dates. The subquery is computed once, not for each row. */
const IS_ISO = `(SELECT current_setting('DateStyle') LIKE 'ISO%') AS "is_iso"`;

export interface MainStatementParts {
  /** Common table expressions, `"name" AS (…)`. */
  readonly with: readonly string[];
  /** Query of the rows to return. */
  readonly rows: string;
  readonly shape: RowsShape;
  readonly scalarColumn: string;
  /** Scalar expression of the number of rows; undefined: the rows themselves are counted. */
  readonly pageRows: string | undefined;
  /** Scalar expression of the total, if the statement computes it. */
  readonly total: string | undefined;
  /** Table expression that must be executed completely before settings are read; undefined if the rows ensure that. */
  readonly readSettingsAfter: string | undefined;
  /** Expressions of the columns `inserted` and `location`; empty for calls, and for reads without links. */
  readonly extra: readonly string[];
}

/**
 * Returns the type of embedded values. CSV contains them in the text form of jsonb, and custom aggregates can use the
 * operators of jsonb.
 */
export function nestedTypeOf(plan: DeliveryPlan): 'json' | 'jsonb' {
  const delivery = answerOf(plan);
  if (delivery.kind === 'countedRows') return delivery.format === 'csv' ? 'jsonb' : 'json';
  if (delivery.kind !== 'value') return 'json';
  const { body } = delivery;
  if (body.kind === 'none') return nestedTypeOf(body.like);
  return body.kind === 'custom' ? 'jsonb' : 'json';
}

export function renderMainStatement(
  plan: RowsPlan,
  parts: MainStatementParts,
  builder: StatementBuilder,
): MainStatement {
  return renderDelivery(answerOf(plan.delivery), plan, parts, builder);
}

function renderDelivery(
  delivery: AnswerDelivery,
  plan: RowsPlan,
  parts: MainStatementParts,
  builder: StatementBuilder,
): MainStatement {
  const { parameters } = builder;
  switch (delivery.kind) {
    case 'value':
      return { text: renderValue(plan, parts, builder.alias(), delivery.body), parameters, delivery };
    case 'singleRow': {
      const rows = builder.alias();
      // Only the body: no row means no body, and no other information is needed.
      const text = `SELECT ${renderSingle(delivery.body, rows)} AS "body" FROM (${parts.rows}) AS ${rows}`;
      const general = renderValue(plan, parts, rows, delivery.body);
      return { text, parameters, delivery, general: { text: general, delivery: { kind: 'value', encoding: 'text' } } };
    }
    case 'countedRows':
    case 'ndjson': {
      const text =
        delivery.kind === 'ndjson'
          ? renderLines(parts, delivery, builder)
          : renderCountedRows(parts, delivery, builder);
      if (!('general' in delivery)) return { text, parameters, delivery };
      const general = renderDelivery(delivery.general, plan, parts, builder);
      return { text, parameters, delivery, general: { text: general.text, delivery: general.delivery } };
    }
  }
}

/** @param rows their alias, quoted */
function renderValue(plan: RowsPlan, parts: MainStatementParts, rows: string, body: ValueFormat | NoBody): string {
  const { shape, scalarColumn } = parts;
  // A HEAD fails whenever the GET would: PostgreSQL must not skip computing values that are not shown.
  const pageRows = plan.isHead ? `count(${rows}.*)` : 'count(*)';
  const columns = [
    `${pageRows} AS "page_rows"`,
    `${parts.total ?? 'NULL::bigint'} AS "total"`,
    ...settingColumns(parts),
    ...parts.extra,
    `${body.kind === 'none' ? "''" : renderBody(body, { rows, shape, scalarColumn })} AS "body"`,
  ];
  return joinClauses([
    parts.with.length > 0 ? `WITH ${parts.with.join(', ')}` : '',
    `SELECT ${columns.join(', ')}`,
    `FROM (${parts.rows}) AS ${rows}`,
  ]);
}

/** Left-joins the lines to the head, so that it is returned even without rows. Settings are read again for each row. */
function renderLines(
  parts: MainStatementParts,
  delivery: UnspelledLines | SpelledLines,
  builder: StatementBuilder,
): string {
  const [head, rows, lines] = [builder.alias(), builder.alias(), builder.alias()];
  const { shape, scalarColumn } = parts;
  const contents =
    'spelling' in delivery
      ? // OFFSET 0 makes PostgreSQL compute the values of a row before it reads the settings.
        `${IS_ISO}, ${renderValues(delivery.spelling, rows)} FROM (${parts.rows}) AS ${rows} OFFSET 0`
      : `${renderLine({ rows, shape, scalarColumn })} AS "line" FROM (${parts.rows}) AS ${rows}`;
  const columns = [`${head}."total"`, ...settingColumns(parts), `${lines}.*`];
  return joinClauses([
    parts.with.length > 0 ? `WITH ${parts.with.join(', ')}` : '',
    `SELECT ${columns.join(', ')}`,
    `FROM (SELECT ${parts.total ?? 'NULL::bigint'} AS "total") AS ${head}`,
    `LEFT JOIN (SELECT ${contents}) AS ${lines} ON TRUE`,
  ]);
}

/**
 * Adds the number of rows to each row. Without a counting subquery, PostgreSQL materializes the rows before it sends
 * the first one, on disk if there are many. Either way, it needs little memory and waits for slow readers.
 */
function renderCountedRows(
  parts: MainStatementParts,
  delivery: UnspelledRows | SpelledRows,
  builder: StatementBuilder,
): string {
  const [rows, head] = [builder.alias(), builder.alias()];
  const isMaterialized = parts.pageRows === undefined;
  const columns = [
    `${parts.pageRows ?? 'count(*)'} AS "page_rows"`,
    `${parts.total ?? 'NULL::bigint'} AS "total"`,
    ...settingColumns(parts),
    ...(parts.extra.length > 0 ? parts.extra : ['NULL AS "inserted"', 'NULL AS "location"']),
    ...(delivery.format === 'objects' ? [IS_ISO] : []),
  ];
  const shown = renderContents(delivery, rows);
  const tables = [...parts.with, ...(isMaterialized ? [`${rows} AS MATERIALIZED (${parts.rows})`] : [])];
  return joinClauses([
    tables.length > 0 ? `WITH ${tables.join(', ')}` : '',
    `SELECT ${head}.*, ${shown}`,
    `FROM (SELECT ${columns.join(', ')}${isMaterialized ? ` FROM ${rows}` : ''}) AS ${head}`,
    `LEFT JOIN ${isMaterialized ? rows : `(${parts.rows}) AS ${rows}`} ON TRUE`,
  ]);
}

function renderContents(delivery: UnspelledRows | SpelledRows, rows: string): string {
  if (delivery.format === 'objects') return renderValues(delivery.spelling, rows);
  return ROW_CONTENTS[delivery.format] === 'values' ? `${rows}.*` : `row_to_json(${rows}.*)::text AS "element"`;
}

function renderValues(spelling: Spelling, rows: string): string {
  if (spelling.kind === 'asTheyAre') return `${rows}.*`;
  return spelling.columns.map((column) => renderNamed(column, rows)).join(', ');
}

function renderNamed({ key, needsJson }: SpelledColumn, rows: string): string {
  const value = `${rows}.${quoteIdentifier(key)}`;
  return needsJson ? `to_json(${value}) AS ${quoteIdentifier(key)}` : value;
}

function settingColumns({ readSettingsAfter }: MainStatementParts): readonly string[] {
  return [
    `${renderSetting('response.headers', readSettingsAfter)} AS "response_headers"`,
    `${renderSetting('response.status', readSettingsAfter)} AS "response_status"`,
  ];
}

// Renders a statement of a nested write. It takes its rows from a JSON array and returns how many it has written, and
// the columns that other rows refer to. A JSON text with the old row follows them after a line break, as it may be long.
import type { MainStatement } from '../../../contract/transaction.ts';
import { quoteIdentifier } from '../../../contract/identifiers.ts';
import { assertNever } from '../../../contract/result.ts';
import type { PayloadPlan } from '../../../plan/actions/action-plan.ts';
import type { NestedStatement } from '../nested-plan.ts';
import {
  BEFORE,
  OLD,
  renderLock,
  renderReturningOf,
  renderSaved,
  renderSavedRow,
  savedName,
} from '../../../sql/writes/changes.ts';
import { renderConflict } from '../../../sql/writes/conflict.ts';
import { renderCondition } from '../../../sql/levels/condition.ts';
import { joinClauses } from '../../../sql/levels/read.ts';
import { Scope } from '../../../sql/levels/scope.ts';
import { renderPayloadRows } from '../../../sql/writes/payload.ts';
import { quoteQualified } from '../../../sql/text/identifier.ts';
import { StatementBuilder } from '../../../sql/text/statement-builder.ts';

export interface RenderedStatement {
  readonly main: MainStatement;
  /** Index of the parameter that contains the rows. */
  readonly rowsParameter: number | undefined;
}

const SOURCE = '"_source"';

export function renderNestedStatement(statement: NestedStatement, settingsPrefix: string): RenderedStatement {
  const builder = new StatementBuilder(statement.relation.name.name);
  const source = renderSource(statement, builder, settingsPrefix);
  const text = joinClauses([
    `WITH ${SOURCE} AS (${source})`,
    'SELECT count(*) AS "page_rows", NULL::bigint AS "total", NULL AS "response_headers", NULL AS "response_status",',
    `${renderBody(statement)} AS "body"`,
    `FROM ${SOURCE}`,
  ]);
  const main = { text, parameters: builder.parameters, delivery: { kind: 'value', encoding: 'text' } } as const;
  return { main, rowsParameter: builder.payloadParameter };
}

function renderBody(statement: NestedStatement): string {
  const { returned, old } = statement;
  if (returned.length === 0) return "''";
  const keys = returned.map((name) => `to_json(${SOURCE}.${quoteIdentifier(name)})::text`);
  const rows = `json_agg(json_build_array(${keys.join(', ')}))`;
  if (old === undefined) return rows;
  return `${rows}::text || chr(10) || coalesce(min(to_json(${SOURCE}.${savedName(statement)})::text), 'null')`;
}

function renderSource(statement: NestedStatement, builder: StatementBuilder, settingsPrefix: string): string {
  const table = quoteQualified(statement.relation.name);
  const ref = quoteIdentifier(statement.relation.name.name);
  const payload = builder.alias();
  const rows = (): string => `(${renderPayloadRows(payloadOf(statement), builder)}) AS ${payload}`;
  const scope = new Scope(builder, { ref, depth: 0 });
  const conditions = [
    ...(statement.match.length > 0 ? [renderEqual(statement.match, ref, payload)] : []),
    ...statement.where.map((condition) => renderCondition(condition, scope, () => 'TRUE')),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const returned = renderReturned(statement, ref);
  switch (statement.verb) {
    case 'insert':
      return renderInsert(statement, builder, settingsPrefix);
    case 'update':
      return renderUpdate(statement, { ref, payload, rows: rows(), where });
    case 'delete':
      return `DELETE FROM ${table} USING ${rows()} ${where} RETURNING ${returned}`;
    case 'deleteOthers':
    case 'clearOthers':
      return renderOthers(statement, builder);
    case 'find':
      return `SELECT ${returned} FROM ${table}, ${rows()} ${where}`;
    case 'lock':
      return renderLocked(statement, ref, where);
    case 'same':
      return `SELECT DISTINCT ${columnNames(statement).join(', ')} FROM ${rows()}`;
    default:
      return assertNever(statement.verb);
  }
}

function payloadOf({ columns, appliesDefaults }: NestedStatement): PayloadPlan {
  return { bytes: [], isArray: true, columns, appliesDefaults, batches: undefined };
}

function renderInsert(statement: NestedStatement, builder: StatementBuilder, settingsPrefix: string): string {
  const { relation, columns, conflict, old } = statement;
  const names = columnNames(statement);
  const ref = quoteIdentifier(relation.name.name);
  const counter = `${settingsPrefix}inserted`;
  const mark = old && `${settingsPrefix}updated`;
  const settings = { counter, mark, saved: old && renderSavedRow(statement, old.names, ref) };
  return joinClauses([
    `INSERT INTO ${quoteQualified(relation.name)}${names.length > 0 ? ` (${names.join(', ')})` : ''}`,
    renderPayloadRows(payloadOf(statement), builder),
    conflict ? renderConflict(conflict, { columns, table: relation.name.name }, settings) : '',
    `RETURNING ${renderReturned(statement, ref)}`,
    mark === undefined ? '' : `, ${renderSaved(mark)} AS ${savedName(statement)}`,
  ]);
}

function renderUpdate(
  statement: NestedStatement,
  { ref, payload, rows, where }: Names & { readonly rows: string; readonly where: string },
): string {
  const { relation, old } = statement;
  const update = `UPDATE ${quoteQualified(relation.name)} SET ${renderAssignments(statement, payload)} FROM ${rows}`;
  const returning = `${renderReturningOf({ changes: old?.rows })} ${renderReturned(statement, ref)}`;
  if (old?.rows.kind !== 'locked') return joinClauses([update, where, returning + renderOld(statement, OLD)]);
  const locked = renderLock(relation, old.rows.key, {
    columns: [`${renderSavedRow(statement, old.names, ref)} AS ${savedName(statement)}`],
    others: '',
    where,
  });
  return joinClauses([
    `WITH ${locked.table} ${update}, ${BEFORE} WHERE ${locked.where}`,
    `${returning}, ${BEFORE}.${savedName(statement)}`,
  ]);
}

/** Nobody else changes a row that is shown as unchanged. */
function renderLocked(statement: NestedStatement, ref: string, where: string): string {
  const columns = renderReturned(statement, ref) + renderOld(statement, ref);
  const strength = statement.old === undefined ? 'KEY SHARE' : 'NO KEY UPDATE';
  return `SELECT ${columns} FROM ${quoteQualified(statement.relation.name)} ${where} FOR ${strength}`;
}

/** Continues what a statement returns with the values of a row of `ref`. */
function renderOld(statement: NestedStatement, ref: string): string {
  const { old } = statement;
  return old === undefined ? '' : `, ${renderSavedRow(statement, old.names, ref)} AS ${savedName(statement)}`;
}

/** All rows of the payload match the same rows; the first one has no key and keeps none. */
function renderOthers(statement: NestedStatement, builder: StatementBuilder): string {
  const { verb, relation, match, kept } = statement;
  const ref = quoteIdentifier(relation.name.name);
  const table = quoteQualified(relation.name);
  const [rows, owner, keeper] = [builder.alias(), builder.alias(), builder.alias()];
  const owners = `(SELECT DISTINCT ${match.map(quoteIdentifier).join(', ')} FROM ${rows}) AS ${owner}`;
  return joinClauses([
    `WITH ${rows} AS (${renderPayloadRows(payloadOf(statement), builder)})`,
    verb === 'deleteOthers'
      ? `DELETE FROM ${table} USING ${owners}`
      : `UPDATE ${table} SET ${renderAssignments(statement, owner)} FROM ${owners}`,
    `WHERE ${renderEqual(match, ref, owner)}`,
    `AND NOT EXISTS (SELECT FROM ${rows} AS ${keeper} WHERE ${renderEqual(kept, ref, keeper)})`,
    'RETURNING 1',
  ]);
}

function renderEqual(names: readonly string[], left: string, right: string): string {
  return names.map((name) => `${left}.${quoteIdentifier(name)} = ${right}.${quoteIdentifier(name)}`).join(' AND ');
}

function columnNames({ columns }: NestedStatement): readonly string[] {
  return columns.map(({ column }) => quoteIdentifier(column.name));
}

function renderReturned({ returned }: NestedStatement, ref: string): string {
  return returned.length === 0 ? '1' : returned.map((name) => `${ref}.${quoteIdentifier(name)}`).join(', ');
}

function renderAssignments({ columns, match, cleared, kept }: NestedStatement, payload: string): string {
  const names = columns.map(({ column }) => column.name);
  const changed = names.filter((name) => !match.includes(name) && !kept.includes(name));
  return [
    ...changed.map((name) => `${quoteIdentifier(name)} = ${payload}.${quoteIdentifier(name)}`),
    ...cleared.map((name) => `${quoteIdentifier(name)} = NULL`),
  ].join(', ');
}

interface Names {
  readonly ref: string;
  readonly payload: string;
}

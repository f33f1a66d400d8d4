// Renders a statement of a nested write. It takes its rows from a JSON array and returns how many it has written, and
// the columns that other rows refer to.
import type { MainStatement } from '../contract/transaction.ts';
import { quoteIdentifier } from '../contract/identifiers.ts';
import { assertNever } from '../contract/result.ts';
import type { PayloadPlan } from '../plan/actions/action-plan.ts';
import type { NestedStatement } from '../plan/actions/nested-plan.ts';
import { renderConflict } from './writes/conflict.ts';
import { renderCondition } from './levels/condition.ts';
import { joinClauses } from './levels/read.ts';
import { Scope } from './levels/scope.ts';
import { renderPayloadRows } from './writes/payload.ts';
import { quoteQualified } from './text/identifier.ts';
import { StatementBuilder } from './text/statement-builder.ts';

export interface RenderedStatement {
  readonly main: MainStatement;
  /** Index of the parameter that contains the rows. */
  readonly rowsParameter: number | undefined;
}

const SOURCE = '"_source"';

/** @param counter the setting that counts the rows that an upsert inserts */
export function renderNestedStatement(statement: NestedStatement, counter: string): RenderedStatement {
  const { relation, returned } = statement;
  const builder = new StatementBuilder(relation.name.name);
  const source = renderSource(statement, builder, counter);
  const keys = returned.map((name) => `to_json(${SOURCE}.${quoteIdentifier(name)})::text`);
  const text = joinClauses([
    `WITH ${SOURCE} AS (${source})`,
    'SELECT count(*) AS "page_rows", NULL::bigint AS "total", NULL AS "response_headers", NULL AS "response_status",',
    keys.length === 0 ? `'' AS "body"` : `json_agg(json_build_array(${keys.join(', ')})) AS "body"`,
    `FROM ${SOURCE}`,
  ]);
  const main = { text, parameters: builder.parameters, delivery: { kind: 'value', encoding: 'text' } } as const;
  return { main, rowsParameter: builder.payloadParameter };
}

function renderSource(statement: NestedStatement, builder: StatementBuilder, counter: string): string {
  const table = quoteQualified(statement.relation.name);
  const ref = quoteIdentifier(statement.relation.name.name);
  const payload = builder.alias();
  const rows = (): string => `(${renderPayloadRows(payloadOf(statement), builder)}) AS ${payload}`;
  const where = renderWhere(statement, { ref, payload }, builder);
  const returned = renderReturned(statement, ref);
  switch (statement.verb) {
    case 'insert':
      return renderInsert(statement, builder, counter);
    case 'update':
      return joinClauses([
        `UPDATE ${table} SET ${renderAssignments(statement, payload)} FROM ${rows()}`,
        where,
        `RETURNING ${returned}`,
      ]);
    case 'delete':
      return `DELETE FROM ${table} USING ${rows()} ${where} RETURNING ${returned}`;
    case 'deleteOthers':
    case 'clearOthers':
      return renderOthers(statement, builder);
    case 'find':
      return `SELECT ${returned} FROM ${table}, ${rows()} ${where}`;
    case 'lock':
      return `SELECT ${returned} FROM ${table} ${where} FOR KEY SHARE`;
    case 'same':
      return `SELECT DISTINCT ${columnNames(statement).join(', ')} FROM ${rows()}`;
    default:
      return assertNever(statement.verb);
  }
}

function payloadOf({ columns, appliesDefaults }: NestedStatement): PayloadPlan {
  return { bytes: [], isArray: true, columns, appliesDefaults, batches: undefined };
}

function renderInsert(statement: NestedStatement, builder: StatementBuilder, counter: string): string {
  const { relation, columns, conflict } = statement;
  const names = columnNames(statement);
  return joinClauses([
    `INSERT INTO ${quoteQualified(relation.name)}${names.length > 0 ? ` (${names.join(', ')})` : ''}`,
    renderPayloadRows(payloadOf(statement), builder),
    conflict ? renderConflict(conflict, { columns, table: relation.name.name }, { counter, mark: undefined }) : '',
    `RETURNING ${renderReturned(statement, quoteIdentifier(relation.name.name))}`,
  ]);
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

function renderWhere({ match, where }: NestedStatement, { ref, payload }: Names, builder: StatementBuilder): string {
  const scope = new Scope(builder, { ref, depth: 0 });
  const conditions = [
    ...(match.length > 0 ? [renderEqual(match, ref, payload)] : []),
    ...where.map((condition) => renderCondition(condition, scope, () => 'TRUE')),
  ];
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}

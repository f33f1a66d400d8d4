// Renders INSERT, UPDATE or DELETE as a table expression, and the read of its rows (`writing.md` §4-§9).
import { quoteIdentifier } from '../contract/identifiers.ts';
import type { MainStatement, Statement } from '../contract/transaction.ts';
import type { MutateAction, PayloadPlan } from '../plan/actions/action-plan.ts';
import { isNestedAction, type NestedAction } from '../plan/actions/nested-plan.ts';
import { renderCondition } from './levels/condition.ts';
import { hasRequiredEmbed } from '../plan/levels/read-plan.ts';
import { renderConflict } from './conflict.ts';
import { renderWrittenKeys, renderWrittenRows } from './render-written.ts';
import { renderOperation } from './operation.ts';
import type { Source } from './levels/from.ts';
import { quoteQualified } from './text/identifier.ts';
import { nestedTypeOf, renderOutcome, renderSettingAfter } from './outcome.ts';
import { renderPayloadRows } from './payload.ts';
import { joinClauses, renderRows } from './levels/read.ts';
import { Scope } from './levels/scope.ts';
import { StatementBuilder } from './text/statement-builder.ts';

const SOURCE = '"_source"';
/** Appears in PostgreSQL's message if a PUT lacks a key column. */
const PAYLOAD = '"_payload"';

/** @returns the statement, and which of its parameters contains the rows of the payload */
export function renderMutation(
  action: MutateAction,
  settingsPrefix: string,
): { readonly main: MainStatement; readonly payloadParameter: number | undefined } {
  const { name } = action.relation;
  const builder = new StatementBuilder(name.name, nestedTypeOf(action.delivery));
  const setting = `${settingsPrefix}${action.mutation === 'update' ? 'patch_fault' : 'inserted'}`;
  const isNested = isNestedAction(action);
  const statement = isNested ? renderWritten(action, builder) : renderStatement(action, builder, setting);
  const ref = quoteIdentifier(name.name);
  const relation = action.returning?.kind === 'row' ? action.relation : undefined;
  const source: Source = { ref, from: `${SOURCE} AS ${ref}`, conditions: [], depth: 0, relation };
  const isShown = action.returnPreference === 'representation';
  const rows = isShown ? renderRows(action.read, source, builder) : `SELECT FROM ${SOURCE}`;
  // Cast to int, because beside a binary body it is transferred in binary.
  const inserted = action.conflict?.isCounted ? `${renderSettingAfter(setting, SOURCE)}::int` : 'NULL';
  const extra = [`${inserted} AS "inserted"`, `${renderReport(action, setting)} AS "location"`];
  const main = renderOutcome(
    action,
    {
      with: [`${SOURCE} AS (${statement})`],
      rows,
      shape: 'set',
      scalarColumn: '',
      pageRows: undefined,
      total: undefined,
      // A required embed without rows may end the query before the statement has started.
      readSettingsAfter: isShown && hasRequiredEmbed(action.read) ? SOURCE : undefined,
      extra,
    },
    builder,
  );
  return { main, payloadParameter: builder.payloadParameter };
}

/**
 * Renders the insert alone, with its parameters in the same positions; undefined if more than the number of rows
 * matters: keys, which rows are new, or settings that user code may leave behind.
 */
export function renderBatchInsert(action: MutateAction, render: RowsRenderer): Statement | undefined {
  const { payload, conflict, leftovers, returnPreference } = action;
  if (payload === undefined || conflict?.isCounted === true || leftovers !== 'none' || returnPreference !== 'minimal')
    return undefined;
  const builder = new StatementBuilder(action.relation.name.name, nestedTypeOf(action.delivery));
  const text = renderInsertInto(action, payload, { builder, setting: '', render });
  return { text, parameters: builder.parameters };
}

interface StatementContext {
  readonly builder: StatementBuilder;
  /** Counts inserted rows, or names a column that an update cannot change. */
  readonly setting: string;
  /** Renders the rows of the payload. */
  readonly render: RowsRenderer;
}

type RowsRenderer = typeof renderPayloadRows;

function renderStatement(action: MutateAction, builder: StatementBuilder, setting: string): string {
  const { payload } = action;
  if (action.mutation === 'delete' || payload === undefined) return renderDelete(action, builder);
  switch (action.mutation) {
    case 'update':
      return renderUpdate(action, payload, { builder, setting });
    case 'insert':
    case 'put':
      return renderInsert(action, payload, { builder, setting, render: renderPayloadRows });
  }
}

function renderInsert(action: MutateAction, payload: PayloadPlan, context: StatementContext): string {
  return joinClauses([renderInsertInto(action, payload, context), renderReturning(action)]);
}

function renderInsertInto(
  action: MutateAction,
  payload: PayloadPlan,
  { builder, setting, render }: StatementContext,
): string {
  const names = payload.columns.map(({ column }) => quoteIdentifier(column.name));
  const rows = render(payload, builder);
  return joinClauses([
    `INSERT INTO ${quoteQualified(action.relation.name)}${names.length > 0 ? ` (${names.join(', ')})` : ''}`,
    action.where.length > 0 ? renderMatching(action, rows, builder) : rows,
    action.conflict
      ? renderConflict(action.conflict, { columns: payload.columns, table: action.relation.name.name }, setting)
      : '',
  ]);
}

/** For PUT, drops elements whose key differs from the URL before they are counted as candidates. */
function renderMatching(action: MutateAction, rows: string, builder: StatementBuilder): string {
  const conditions = renderWhere(action, new Scope(builder, { ref: PAYLOAD, depth: 0 }));
  const matching = `SELECT * FROM (${rows}) AS ${PAYLOAD} WHERE ${conditions}`;
  return action.conflict?.isCounted ? `SELECT * FROM (${matching} OFFSET 0) AS ${builder.alias()}` : matching;
}

function renderUpdate(
  action: MutateAction,
  payload: PayloadPlan,
  { builder, setting }: Pick<StatementContext, 'builder' | 'setting'>,
): string {
  const table = quoteQualified(action.relation.name);
  const scope = new Scope(builder, { ref: quoteIdentifier(action.relation.name.name), depth: 0 });
  if (payload.columns.length === 0) return renderNoUpdate(action, table);
  const values = builder.alias();
  const assignments = payload.columns.map(({ column, operation }) => {
    const name = quoteIdentifier(column.name);
    const given = `${values}.${name}`;
    if (operation === undefined) return `${name} = ${given}`;
    const operands = { column: column.name, stored: `${scope.ref}.${name}`, given };
    const value = renderOperation(operation, operands, { builder, fault: setting });
    return `${name} = ${operation.kind === 'merge' ? `(${value})::${column.type}` : value}`;
  });
  return joinClauses([
    `UPDATE ${table} SET ${assignments.join(', ')}`,
    `FROM (${renderPayloadRows(payload, builder)} LIMIT 1) AS ${values}`,
    action.where.length > 0 ? `WHERE ${renderWhere(action, scope)}` : '',
    renderReturning(action),
  ]);
}

/** Without columns to set there is no UPDATE, which would need a privilege (`writing.md` §7.2). */
function renderNoUpdate(action: MutateAction, table: string): string {
  return `SELECT ${renderReturnedColumns(action) ?? '1'} FROM ${table} WHERE false`;
}

function renderDelete(action: MutateAction, builder: StatementBuilder): string {
  const scope = new Scope(builder, { ref: quoteIdentifier(action.relation.name.name), depth: 0 });
  return joinClauses([
    `DELETE FROM ${quoteQualified(action.relation.name)}`,
    action.where.length > 0 ? `WHERE ${renderWhere(action, scope)}` : '',
    renderReturning(action),
  ]);
}

function renderWhere(action: MutateAction, scope: Scope): string {
  return action.where.map((condition) => renderCondition(condition, scope, () => 'TRUE')).join(' AND ');
}

function renderReturning(action: MutateAction): string {
  return `RETURNING ${renderReturnedColumns(action) ?? '1'}`;
}

/** The rows of a nested write have been written by the statements before this one. */
function renderWritten(action: NestedAction, builder: StatementBuilder): string {
  const { nested, relation, returnPreference } = action;
  if (returnPreference !== 'representation') return renderWrittenKeys(nested, builder);
  const columns = renderReturnedColumns(action) ?? '1';
  return renderWrittenRows(nested, { relation, columns }, builder);
}

function renderReturnedColumns({ returning, relation }: MutateAction): string | undefined {
  if (returning === undefined) return undefined;
  const ref = quoteIdentifier(relation.name.name);
  if (returning.kind === 'row') return `${ref}.*`;
  const columns = returning.names.map((name) => `${ref}.${quoteIdentifier(name)}`);
  return columns.length > 0 ? columns.join(', ') : undefined;
}

function renderReport(action: MutateAction, setting: string): string {
  const isReported = action.checks.some(({ kind }) => kind === 'storedArrays');
  return isReported ? renderSettingAfter(setting, SOURCE) : renderLocation(action, SOURCE);
}

/** Returns the key of the row as a JSON array of texts; null unless there is exactly one row. */
function renderLocation({ locationKey }: MutateAction, source: string): string {
  if (locationKey.length === 0) return 'NULL';
  // The minimum of one value is that value, and min() needs no memory for many rows.
  const values = locationKey.map((name) => `min("s".${quoteIdentifier(name)}::text)`);
  return `(SELECT CASE WHEN count(*) = 1 THEN json_build_array(${values.join(', ')}) END FROM ${source} AS "s")`;
}

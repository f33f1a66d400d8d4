// Renders INSERT, UPDATE or DELETE as a table expression, and the read of its rows (`writing.md` §4-§9).
import { quoteIdentifier } from '../contract/identifiers.ts';
import type { MainStatement, Statement } from '../contract/transaction.ts';
import type { MutateAction, PayloadPlan } from '../plan/actions/action-plan.ts';
import { INSERTED_KEY } from '../plan/writes/plan-inserted.ts';
import { renderCondition } from './levels/condition.ts';
import { hasRequiredEmbed } from '../plan/levels/read-plan.ts';
import { type ConflictSettings, renderConflict, renderIsInserted } from './conflict.ts';
import { type OperationContext, renderOperation } from './operation.ts';
import type { Source } from './levels/from.ts';
import { quoteQualified } from './text/identifier.ts';
import { nestedTypeOf, renderOutcome, renderSettingAfter } from './outcome.ts';
import { renderPayloadRows } from './payload.ts';
import { renderElementsUpdate } from './render-elements.ts';
import { renderKeptRows } from './render-kept-rows.ts';
import { joinClauses, renderRows } from './levels/read.ts';
import { GIVEN, MATCH, renderConditionReport, renderVersionTest } from './row-version.ts';
import { Scope } from './levels/scope.ts';
import { StatementBuilder } from './text/statement-builder.ts';
import { freeName, SOURCE, starOf, type WrittenRows } from './written-rows.ts';

/** Appears in PostgreSQL's message if a PUT lacks a key column. */
const PAYLOAD = '"_payload"';

/** @returns the statement, and which of its parameters contains the rows of the payload */
export function renderMutation(
  action: MutateAction,
  settingsPrefix: string,
): { readonly main: MainStatement; readonly payloadParameter: number | undefined } {
  const { name } = action.relation;
  const builder = new StatementBuilder(name.name, nestedTypeOf(action.delivery));
  const written = renderWrite(action, builder, settingsPrefix);
  const ref = quoteIdentifier(name.name);
  const relation = action.returning?.kind === 'row' ? action.relation : undefined;
  const source: Source = { ref, conditions: [], depth: 0, relation, ...written.source };
  const isShown = action.returnPreference === 'representation';
  const rows = isShown ? renderRows(action.read, source, builder) : `SELECT FROM ${SOURCE}`;
  const main = renderOutcome(
    action,
    {
      with: written.tables,
      rows,
      shape: 'set',
      scalarColumn: '',
      pageRows: undefined,
      total: written.total,
      // A required embed without rows may end the query before the statement has started.
      readSettingsAfter: isShown && hasRequiredEmbed(action.read) ? SOURCE : undefined,
      extra: [`${written.inserted} AS "inserted"`, `${written.report} AS "location"`],
    },
    builder,
  );
  return { main, payloadParameter: builder.payloadParameter };
}

function renderWrite(action: MutateAction, builder: StatementBuilder, settingsPrefix: string): WrittenRows {
  const { payload, conflict } = action;
  if (payload?.elements !== undefined) {
    const scope = new Scope(builder, { ref: quoteIdentifier(action.relation.name.name), depth: 0 });
    const context = { builder, fault: `${settingsPrefix}patch_fault`, where: renderWhere(action, scope) };
    return renderElementsUpdate(action, { ...payload, elements: payload.elements }, context);
  }
  if (payload !== undefined && conflict?.resolution === 'keep') {
    const report = renderLocation(action, SOURCE);
    return renderKeptRows({ ...action, conflict }, payload, { builder, setting: `${settingsPrefix}position`, report });
  }
  const setting = `${settingsPrefix}${action.mutation === 'update' ? 'patch_fault' : 'inserted'}`;
  const isMarked = action.showsInserted && conflict?.resolution === 'merge';
  const mark = isMarked ? `${settingsPrefix}updated` : undefined;
  return {
    tables: [
      ...renderConditionTables(action, builder),
      `${SOURCE} AS (${renderStatement(action, builder, { counter: setting, mark })})`,
    ],
    // Cast to int, because beside a binary body it is transferred in binary.
    inserted: conflict?.isCounted ? `${renderSettingAfter(setting, SOURCE)}::int` : 'NULL',
    report: renderReport(action, setting),
    total: undefined,
    source: readWritten(action),
  };
}

/** Rows of a CTE come in the order in which they were written. */
function readWritten(action: MutateAction): WrittenRows['source'] {
  const { relation, showsInserted, keepsOrder } = action;
  const ref = quoteIdentifier(relation.name.name);
  if (!showsInserted && !keepsOrder) return { from: `${SOURCE} AS ${ref}` };
  const position = freeName(relation, '_n');
  return {
    from: keepsOrder
      ? `(SELECT *, row_number() OVER () AS ${position} FROM ${SOURCE}) AS ${ref}`
      : `${SOURCE} AS ${ref}`,
    columns: starOf(action),
    order: keepsOrder ? `${ref}.${position}` : undefined,
    extra: showsInserted ? new Map([[INSERTED_KEY, `${ref}.${freeName(relation, '_inserted')}`]]) : undefined,
  };
}

/**
 * Renders the insert alone, with its parameters in the same positions; undefined if more than the number of rows
 * matters: keys, which rows are new, or settings that user code may leave behind.
 */
export function renderBatchInsert(action: MutateAction, render: RowsRenderer): Statement | undefined {
  const { payload, conflict, leftovers, returnPreference } = action;
  const isCounted = conflict?.isCounted === true || conflict?.resolution === 'keep';
  if (payload === undefined || isCounted || leftovers !== 'none' || returnPreference !== 'minimal') return undefined;
  const builder = new StatementBuilder(action.relation.name.name, nestedTypeOf(action.delivery));
  const settings: ConflictSettings = { counter: '', mark: undefined };
  const text = renderInsertInto(action, payload, { builder, settings, render });
  return { text, parameters: builder.parameters };
}

interface StatementContext {
  readonly builder: StatementBuilder;
  readonly settings: ConflictSettings;
  /** Renders the rows of the payload. */
  readonly render: RowsRenderer;
}

type RowsRenderer = typeof renderPayloadRows;

/** @param settings whose counter names a column that an update cannot change */
function renderStatement(action: MutateAction, builder: StatementBuilder, settings: ConflictSettings): string {
  const { payload } = action;
  if (action.mutation === 'delete' || payload === undefined) return renderDelete(action, builder);
  switch (action.mutation) {
    case 'update':
      return renderUpdate(action, payload, { builder, fault: settings.counter });
    case 'insert':
    case 'put':
      return renderInsert(action, payload, { builder, settings, render: renderPayloadRows });
  }
}

function renderInsert(action: MutateAction, payload: PayloadPlan, context: StatementContext): string {
  const returning = renderReturning(action) + renderInsertedFlag(action, context.settings);
  return joinClauses([renderInsertInto(action, payload, context), returning]);
}

function renderInsertedFlag({ relation, showsInserted }: MutateAction, { mark }: ConflictSettings): string {
  if (!showsInserted) return '';
  return `, ${mark === undefined ? 'TRUE' : renderIsInserted(mark)} AS ${freeName(relation, '_inserted')}`;
}

function renderInsertInto(
  action: MutateAction,
  payload: PayloadPlan,
  { builder, settings, render }: StatementContext,
): string {
  const names = payload.columns.map(({ column }) => quoteIdentifier(column.name));
  const renderGivenRows = (): string => render(payload, builder);
  return joinClauses([
    `INSERT INTO ${quoteQualified(action.relation.name)}${names.length > 0 ? ` (${names.join(', ')})` : ''}`,
    action.where.length > 0 ? renderMatching(action, renderGivenRows, builder) : renderGivenRows(),
    action.conflict ? renderConflict(action.conflict, payload, settings) : '',
  ]);
}

/** For PUT, drops elements whose key differs from the URL before they are counted as candidates. */
function renderMatching(action: MutateAction, renderGivenRows: () => string, builder: StatementBuilder): string {
  const matching =
    action.condition === undefined ? renderGiven(action, renderGivenRows(), builder) : renderConditional(action);
  return action.conflict?.isCounted ? `SELECT * FROM (${matching} OFFSET 0) AS ${builder.alias()}` : matching;
}

function renderGiven(action: MutateAction, rows: string, builder: StatementBuilder): string {
  const conditions = renderWhere(action, new Scope(builder, { ref: PAYLOAD, depth: 0 }));
  return `SELECT * FROM (${rows}) AS ${PAYLOAD} WHERE ${conditions}`;
}

/** Decides before a row is made, and so before any constraint is checked. */
function renderConditional({ condition }: MutateAction): string {
  return `SELECT * FROM ${GIVEN} WHERE ${condition?.kind === 'absent' ? 'NOT ' : ''}EXISTS (SELECT FROM ${MATCH})`;
}

/** A row that a PUT may replace is locked, so that it cannot be deleted before. */
function renderConditionTables(action: MutateAction, builder: StatementBuilder): readonly string[] {
  const { condition, payload, mutation, relation } = action;
  if (condition?.isReported !== true || payload === undefined) return [];
  const ref = quoteIdentifier(relation.name.name);
  const isLocked = mutation === 'put' && condition.kind !== 'absent';
  const match = joinClauses([
    `SELECT FROM ${quoteQualified(relation.name)} WHERE ${renderTarget(action, new Scope(builder, { ref, depth: 0 }))}`,
    isLocked ? 'FOR NO KEY UPDATE' : '',
  ]);
  const given =
    mutation === 'put' ? [`${GIVEN} AS (${renderGiven(action, renderPayloadRows(payload, builder), builder)})`] : [];
  return [...given, `${MATCH} AS (${match})`];
}

function renderUpdate(action: MutateAction, payload: PayloadPlan, { builder, fault }: OperationContext): string {
  const table = quoteQualified(action.relation.name);
  const scope = new Scope(builder, { ref: quoteIdentifier(action.relation.name.name), depth: 0 });
  if (payload.columns.length === 0) return renderNoUpdate(action, table);
  const values = builder.alias();
  const assignments = payload.columns.map(({ column, operation }) => {
    const name = quoteIdentifier(column.name);
    const given = `${values}.${name}`;
    if (operation === undefined) return `${name} = ${given}`;
    const operands = { column: column.name, stored: `${scope.ref}.${name}`, given };
    const value = renderOperation(operation, operands, { builder, fault });
    return `${name} = ${operation.kind === 'merge' ? `(${value})::${column.type}` : value}`;
  });
  return joinClauses([
    `UPDATE ${table} SET ${assignments.join(', ')}`,
    `FROM (${renderPayloadRows(payload, builder)} LIMIT 1) AS ${values}`,
    action.where.length > 0 ? `WHERE ${renderTarget(action, scope)}` : '',
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
    action.where.length > 0 ? `WHERE ${renderTarget(action, scope)}` : '',
    renderReturning(action),
  ]);
}

function renderWhere(action: MutateAction, scope: Scope): string {
  return action.where.map((condition) => renderCondition(condition, scope, () => 'TRUE')).join(' AND ');
}

/** The rows to change, in the version that the client expects. */
function renderTarget(action: MutateAction, scope: Scope): string {
  const test = renderVersionTest(action.condition, scope.ref, scope.builder);
  return [renderWhere(action, scope), ...(test === undefined ? [] : [test])].join(' AND ');
}

function renderReturning(action: MutateAction): string {
  return `RETURNING ${renderReturnedColumns(action) ?? '1'}`;
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
  if (isReported) return renderSettingAfter(setting, SOURCE);
  return renderConditionReport(action) ?? renderLocation(action, SOURCE);
}

/** Returns the key of the row as a JSON array of texts; null unless there is exactly one row. */
function renderLocation({ locationKey }: MutateAction, source: string): string {
  if (locationKey.length === 0) return 'NULL';
  // The minimum of one value is that value, and min() needs no memory for many rows.
  const values = locationKey.map((name) => `min("s".${quoteIdentifier(name)}::text)`);
  return `(SELECT CASE WHEN count(*) = 1 THEN json_build_array(${values.join(', ')}) END FROM ${source} AS "s")`;
}

// Renders INSERT, for POST and PUT (`writing.md` §4, §6).
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { MutateAction, PayloadPlan } from '../../plan/actions/action-plan.ts';
import { joinClauses } from '../levels/read.ts';
import { Scope } from '../levels/scope.ts';
import { quoteQualified } from '../text/identifier.ts';
import type { StatementBuilder } from '../text/statement-builder.ts';
import { renderReturning } from './changes.ts';
import { type ConflictSettings, renderConflict, renderIsInserted } from './conflict.ts';
import { renderPayloadRows } from './payload.ts';
import { GIVEN, MATCH } from './row-version.ts';
import { renderTarget, renderWhere } from './target-rows.ts';
import { freeName } from './written-rows.ts';

/** Appears in PostgreSQL's message if a PUT lacks a key column. */
const PAYLOAD = '"_payload"';

export interface InsertContext {
  readonly builder: StatementBuilder;
  readonly settings: ConflictSettings;
  readonly render: RowsRenderer;
}

export type RowsRenderer = typeof renderPayloadRows;

export function renderInsert(action: MutateAction, payload: PayloadPlan, context: InsertContext): string {
  const returning = renderReturning(action, context.settings.mark) + renderInsertedFlag(action, context.settings);
  return joinClauses([renderInsertInto(action, payload, context), returning]);
}

function renderInsertedFlag(action: MutateAction, { mark }: ConflictSettings): string {
  const { relation, showsInserted } = action;
  const name = freeName(relation, '_inserted');
  // A new row has no transaction that has locked or replaced it.
  if (countsByRow(action)) return `, xmax = 0 AS ${name}`;
  if (!showsInserted) return '';
  return `, ${mark === undefined ? 'TRUE' : renderIsInserted(mark)} AS ${name}`;
}

/**
 * Whether each returned row says if it is new. With shards, the statement runs on several servers, so no setting can count
 * for all of them; and tables with shards, unlike partitioned tables and views, have this system column.
 */
export function countsByRow({ relation, conflict, changes }: MutateAction): boolean {
  return relation.distribution !== undefined && conflict?.resolution === 'merge' && changes?.kind !== 'merged';
}

export function renderInsertInto(
  action: MutateAction,
  payload: PayloadPlan,
  { builder, settings, render }: InsertContext,
): string {
  const names = payload.columns.map(({ column }) => quoteIdentifier(column.name));
  const renderGivenRows = (): string => render(payload, builder);
  return joinClauses([
    `INSERT INTO ${quoteQualified(action.relation.name)}${names.length > 0 ? ` (${names.join(', ')})` : ''}`,
    action.where.length > 0 ? renderMatching(action, renderGivenRows, builder) : renderGivenRows(),
    action.conflict
      ? renderConflict(
          countsByRow(action) ? { ...action.conflict, isCounted: false } : action.conflict,
          { columns: payload.columns, table: action.relation.name.name },
          settings,
        )
      : '',
  ]);
}

/** For PUT, drops elements whose key differs from the URL before they are counted as candidates. */
function renderMatching(action: MutateAction, renderGivenRows: () => string, builder: StatementBuilder): string {
  // Decides before a row is made, and so before any constraint is checked.
  const matching =
    action.condition === undefined
      ? renderGiven(action, renderGivenRows(), builder)
      : `SELECT * FROM ${GIVEN} WHERE ${action.condition?.kind === 'absent' ? 'NOT ' : ''}EXISTS (SELECT FROM ${MATCH})`;
  return action.conflict?.isCounted ? `SELECT * FROM (${matching} OFFSET 0) AS ${builder.alias()}` : matching;
}

function renderGiven(action: MutateAction, rows: string, builder: StatementBuilder): string {
  const conditions = renderWhere(action, new Scope(builder, { ref: PAYLOAD, depth: 0 }));
  return `SELECT * FROM (${rows}) AS ${PAYLOAD} WHERE ${conditions}`;
}

/** A row that a PUT may replace is locked, so that it cannot be deleted before. */
export function renderConditionTables(action: MutateAction, builder: StatementBuilder): readonly string[] {
  const { condition, payload, mutation, relation } = action;
  if (condition?.isReported !== true || payload === undefined) return [];
  const ref = quoteIdentifier(relation.name.name);
  const isLocked = mutation === 'put' && condition.kind !== 'absent';
  const match = joinClauses([
    `SELECT 1 FROM ${quoteQualified(relation.name)} WHERE ${renderTarget(action, new Scope(builder, { ref, depth: 0 }))}`,
    isLocked ? 'FOR NO KEY UPDATE' : '',
  ]);
  const given =
    mutation === 'put' ? [`${GIVEN} AS (${renderGiven(action, renderPayloadRows(payload, builder), builder)})`] : [];
  return [...given, `${MATCH} AS (${match})`];
}

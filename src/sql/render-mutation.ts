// Renders INSERT, UPDATE or DELETE as a table expression, and the read of its rows (`writing.md` §4-§9).
import { quoteIdentifier } from '../contract/identifiers.ts';
import type { MainStatement, Statement } from '../contract/transaction.ts';
import type { DirectWrite, MutateAction, PayloadPlan, WriteParts, PayloadColumn } from '../plan/actions/action-plan.ts';
import { hasRequiredEmbed } from '../plan/levels/read-plan.ts';
import { INSERTED_KEY } from '../plan/writes/plan-written-rows.ts';
import {
  type LockedRows,
  renderChanges,
  renderLockedRows,
  renderReturning,
  renderSavedRow,
  renderUnchanged,
  savedName,
  showsChanges,
} from './writes/changes.ts';
import type { ConflictSettings } from './writes/conflict.ts';
import { type OperationContext, renderOperation } from './writes/operation.ts';
import type { Source } from './levels/from.ts';
import { quoteQualified } from './text/identifier.ts';
import { nestedTypeOf, renderMainStatement } from './main-statement.ts';
import { renderSettingAfter } from './text/read-setting.ts';
import { renderPayloadRows } from './writes/payload.ts';
import { renderDirect } from './writes/render-direct.ts';
import { renderElementsUpdate } from './writes/render-elements.ts';
import { renderKeptRows } from './writes/render-kept-rows.ts';
import { joinClauses, renderRows } from './levels/read.ts';
import {
  countsByRow,
  renderConditionTables,
  renderInsert,
  renderInsertInto,
  type RowsRenderer,
} from './writes/render-insert.ts';
import { renderConditionReport } from './writes/row-version.ts';
import { renderReturnedColumns, renderTarget, renderWhere } from './writes/target-rows.ts';
import { Scope } from './levels/scope.ts';
import { StatementBuilder } from './text/statement-builder.ts';
import { freeName, listReturned, SOURCE, starOf, type WrittenRows } from './writes/written-rows.ts';
import type { Relation } from '../catalog/schema-cache.ts';

/** @returns the statement, and which of its parameters contains the rows of the payload */
export function renderMutation(
  action: MutateAction,
  settingsPrefix: string,
): { readonly main: MainStatement; readonly payloadParameter: number | undefined } {
  const { name } = action.relation;
  const builder = new StatementBuilder(name.name, nestedTypeOf(action.delivery));
  const written = isReadFromShards(action)
    ? readFromShards(action, action.parts, builder)
    : renderWrite(action, builder, settingsPrefix);
  const ref = quoteIdentifier(name.name);
  const relation = action.returning?.kind === 'row' ? action.relation : undefined;
  const source: Source = { ref, conditions: [], depth: 0, relation, ...written.source };
  const isShown = action.returnPreference === 'representation';
  const rows = isShown ? renderShown(action, source, builder) : `SELECT FROM ${SOURCE}`;
  const main = renderMainStatement(
    action,
    {
      with: written.tables,
      rows,
      shape: 'set',
      scalarColumn: '',
      pageRows: undefined,
      total: written.total,
      // A required embed without rows may end the query before the statement has started.
      readSettingsAfter: isShown && written.tables.length > 0 && hasRequiredEmbed(action.read) ? SOURCE : undefined,
      extra: [`${written.inserted} AS "inserted"`, `${written.report} AS "location"`],
    },
    builder,
  );
  const { direct } = action;
  return {
    main: direct === undefined ? main : renderDirectly(action, direct, main),
    payloadParameter: builder.payloadParameter,
  };
}

function renderDirectly(action: MutateAction, direct: DirectWrite, general: MainStatement): MainStatement {
  const { parameters, delivery } = general;
  const builder = new StatementBuilder(action.relation.name.name);
  const text = renderDirect(action, direct, builder);
  if (builder.parameters.length !== parameters.length) throw new Error('a direct write has other parameters');
  return { text, parameters, delivery: direct.rows ?? { kind: 'affected' }, general: { text: general.text, delivery } };
}

function isReadFromShards(action: MutateAction): action is MutateAction & { readonly parts: WriteParts } {
  const { parts, relation, returnPreference } = action;
  return parts !== undefined && relation.distribution !== undefined && returnPreference === 'representation';
}

/** Reads rows that have been written like any others: Citus cannot join a table expression with embeds of its rows. */
function readFromShards(
  { relation }: MutateAction,
  { key, found }: WriteParts,
  builder: StatementBuilder,
): WrittenRows {
  const bind = (value: number | string | undefined, type: string): string =>
    value === undefined ? `NULL::${type}` : `${builder.bind(String(value))}::${type}`;
  return {
    tables: [],
    inserted: bind(found?.inserted, 'int'),
    report: bind(found?.location, 'text'),
    total: bind(found?.total, 'bigint'),
    source: renderRowsByKey(key, relation, builder),
  };
}

function renderShown(action: MutateAction, source: Source, builder: StatementBuilder): string {
  if (!showsChanges(action)) return renderRows(action.read, source, builder);
  const extra = renderChanges(action, source, builder);
  return renderRows({ ...action.read, select: [] }, { ...source, extra }, builder);
}

/** Renders the table expressions of a write, the last of which returns its rows. */
function renderWrite(action: MutateAction, builder: StatementBuilder, settingsPrefix: string): WrittenRows {
  const { payload, conflict } = action;
  if (payload?.elements !== undefined) {
    const scope = new Scope(builder, { ref: quoteIdentifier(action.relation.name.name), depth: 0 });
    const context = { builder, fault: `${settingsPrefix}patch_fault`, where: renderWhere(action, scope) };
    return renderElementsUpdate(action, { ...payload, elements: payload.elements }, context);
  }
  if (payload !== undefined && conflict?.resolution === 'keep') {
    const report = renderLocation(action);
    return renderKeptRows({ ...action, conflict }, payload, { builder, setting: `${settingsPrefix}position`, report });
  }
  const setting = `${settingsPrefix}${action.mutation === 'update' ? 'patch_fault' : 'inserted'}`;
  const isSaved = action.changes?.kind === 'merged';
  const isMarked = isSaved || (action.showsInserted && conflict?.resolution === 'merge' && !countsByRow(action));
  const mark = isMarked ? `${settingsPrefix}updated` : undefined;
  const saved = isSaved
    ? renderSavedRow(action, listReturned(action), quoteIdentifier(action.relation.name.name))
    : undefined;
  const isUpdate = action.mutation === 'update' && payload !== undefined && payload.columns.length > 0;
  const locked = isUpdate ? renderLockedRows(action, builder) : undefined;
  return {
    tables: [
      ...renderConditionTables(action, builder),
      ...(locked?.tables ?? []),
      `${SOURCE} AS (${renderStatement(action, { counter: setting, mark, saved }, locked, builder)})`,
    ],
    inserted: renderInserted(action, setting),
    report: renderReport(action, setting),
    total: undefined,
    source: readWritten(action),
  };
}

/** Casts to int, because beside a binary body the number is transferred in binary. */
function renderInserted(action: MutateAction, setting: string): string {
  // Candidates that a trigger drops are not among the rows.
  if (action.changes?.kind === 'merged')
    return `(SELECT count(*)::int FROM ${SOURCE} WHERE ${savedName(action)} IS NULL)`;
  if (action.conflict?.isCounted !== true) return 'NULL';
  if (!countsByRow(action)) return `${renderSettingAfter(setting, SOURCE)}::int`;
  const isNew = freeName(action.relation, '_inserted');
  return `(SELECT CASE WHEN count(*) > 0 THEN count(*) FILTER (WHERE ${isNew})::int END FROM ${SOURCE})`;
}

/** Rows of a CTE come in the order in which they were written. */
function readWritten(action: MutateAction): WrittenRows['source'] {
  const { relation, showsInserted, keepsOrder } = action;
  const ref = quoteIdentifier(relation.name.name);
  if (showsChanges(action)) return { from: `${SOURCE} AS ${ref}`, columns: starOf(action) };
  if (!showsInserted && !keepsOrder && !countsByRow(action)) return { from: `${SOURCE} AS ${ref}` };
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

/** @param settings the counter names a column that an update cannot change */
function renderStatement(
  action: MutateAction,
  settings: ConflictSettings,
  locked: LockedRows | undefined,
  builder: StatementBuilder,
): string {
  const { payload } = action;
  if (action.parts !== undefined) {
    // The rows have been written by the statements before this one.
    const { relation, returnPreference } = action;
    const { key } = action.parts;
    // One row of keys for each row that was written.
    if (returnPreference !== 'representation')
      return renderPayloadRows(
        { bytes: [], isArray: true, columns: key, appliesDefaults: false, batches: undefined },
        builder,
      );
    const columns = renderReturnedColumns(action) ?? '1';
    const saved = action.changes?.kind === 'merged' ? savedName(action) : undefined;
    return renderWrittenRows(key, relation, columns, saved, builder);
  }
  if (action.mutation === 'delete' || payload === undefined) return renderDelete(action, builder);
  switch (action.mutation) {
    case 'update':
      return renderUpdate(action, payload, { builder, fault: settings.counter, locked });
    case 'insert':
    case 'put':
      return renderInsert(action, payload, { builder, settings, render: renderPayloadRows });
  }
}

interface UpdateContext extends OperationContext {
  readonly locked: LockedRows | undefined;
}

function renderUpdate(action: MutateAction, payload: PayloadPlan, { builder, fault, locked }: UpdateContext): string {
  const table = quoteQualified(action.relation.name);
  const scope = new Scope(builder, { ref: quoteIdentifier(action.relation.name.name), depth: 0 });
  // Without columns to set there is no UPDATE, which would need a privilege (`writing.md` §7.2).
  if (payload.columns.length === 0)
    return `SELECT ${renderReturnedColumns(action) ?? '1'}${renderUnchanged(action)} FROM ${table} WHERE false`;
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
    `FROM (${renderPayloadRows(payload, builder)} LIMIT 1) AS ${values}${locked?.from ?? ''}`,
    renderUpdated(action, scope, locked),
    renderReturning(action),
  ]);
}

function renderUpdated(action: MutateAction, scope: Scope, locked: LockedRows | undefined): string {
  if (locked?.where !== undefined) return `WHERE ${locked.where}`;
  return action.where.length > 0 ? `WHERE ${renderTarget(action, scope)}` : '';
}

function renderDelete(action: MutateAction, builder: StatementBuilder): string {
  const scope = new Scope(builder, { ref: quoteIdentifier(action.relation.name.name), depth: 0 });
  return joinClauses([
    `DELETE FROM ${quoteQualified(action.relation.name)}`,
    action.where.length > 0 ? `WHERE ${renderTarget(action, scope)}` : '',
    renderReturning(action),
  ]);
}

/** Deletes rows that another statement has read, and returns what that has found out. */
export function renderDeleteAfter(
  action: MutateAction,
  rows: number,
  body: Uint8Array,
  builder: StatementBuilder,
): string {
  const deleted = renderDelete({ ...action, returning: undefined, changes: undefined }, builder);
  const columns = [`${builder.bind(String(rows))}::bigint`, 'NULL', 'NULL', 'NULL', `${builder.bind([body])}::text`];
  return `WITH ${SOURCE} AS (${deleted}) SELECT ${columns.join(', ')} FROM (SELECT count(*) FROM ${SOURCE}) AS "n"`;
}

function renderReport(action: MutateAction, setting: string): string {
  const isReported = action.checks.some(({ kind }) => kind === 'storedArrays');
  if (isReported) return renderSettingAfter(setting, SOURCE);
  return renderConditionReport(action) ?? renderLocation(action);
}

/** Returns the key of the row as a JSON array of texts; null unless there is exactly one row. */
function renderLocation({ locationKey }: MutateAction): string {
  if (locationKey.length === 0) return 'NULL';
  // The minimum of one value is that value, and min() needs no memory for many rows.
  const values = locationKey.map((name) => `min("s".${quoteIdentifier(name)}::text)`);
  return `(SELECT CASE WHEN count(*) = 1 THEN json_build_array(${values.join(', ')}) END FROM ${SOURCE} AS "s")`;
}

/**
 * @param columns what to read, or everything
 * @param saved the column with the values of the row before; undefined: they are not shown
 */
function renderWrittenRows(
  key: readonly PayloadColumn[],
  relation: Relation,
  columns: string,
  saved: string | undefined,
  builder: StatementBuilder,
): string {
  const ref = quoteIdentifier(relation.name.name);
  const [row, place] = [builder.alias(), builder.alias()];
  const names = key.map(nameOf);
  const types = key.map((each) => `${nameOf(each)} ${each.column.nominalType}`);
  const given = [...names, ...(saved === undefined ? [] : [saved])];
  const givenTypes = [...types, ...(saved === undefined ? [] : [`${saved} text`])];
  const keys = `json_to_recordset(${builder.bindPayload([])}::json) AS (${givenTypes.join(', ')})`;
  const match = names.map((name) => `${ref}.${name} = ${row}.${name}`);
  const shown = saved === undefined ? columns : `${columns}, ${row}.${saved}::text[] AS ${saved}`;
  return (
    `SELECT ${shown} FROM ROWS FROM (${keys}) WITH ORDINALITY AS ${row}(${given.join(', ')}, ${place}) ` +
    `INNER JOIN ${quoteQualified(relation.name)} ON ${match.join(' AND ')} ORDER BY ${row}.${place}`
  );
}

/** Finds rows by their keys, in the order of the keys. */
function renderRowsByKey(
  key: readonly PayloadColumn[],
  relation: Relation,
  builder: StatementBuilder,
): WrittenRows['source'] {
  const ref = quoteIdentifier(relation.name.name);
  const names = key.map(nameOf);
  const types = key.map((each) => `${nameOf(each)} ${each.column.nominalType}`).join(', ');
  const keys = `json_to_recordset(${builder.bindPayload([])}::json) AS "_key"(${types})`;
  const list = (table: string): string => names.map((name) => `${table}.${name}`).join(', ');
  const text = (table: string): string => `json_build_array(${list(table)})::text`;
  return {
    from: quoteQualified(relation.name),
    conditions: [`(${list(ref)}) IN (SELECT ${list('"_key"')} FROM ${keys})`],
    order: `array_position(ARRAY(SELECT ${text('"_key"')} FROM ${keys}), ${text(ref)})`,
  };
}

function nameOf({ column }: PayloadColumn): string {
  return quoteIdentifier(column.name);
}

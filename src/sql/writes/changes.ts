// Renders the rows of a write as they were and as they are (`beyond.md` §5.1). The write returns its own row under the
// names of its columns and the other one beside it: the old row, except for DELETE, which has only that.
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { Relation } from '../../catalog/schema-cache.ts';
import type { MutateAction, OldRows } from '../../plan/actions/action-plan.ts';
import type { Source } from '../levels/from.ts';
import { renderRows } from '../levels/read.ts';
import { quoteQualified } from '../text/identifier.ts';
import type { StatementBuilder } from '../text/statement-builder.ts';
import { Scope } from '../levels/scope.ts';
import { renderReturnedColumns, renderTarget } from './target-rows.ts';
import { freeName, listReturned } from './written-rows.ts';

/** The rows to update, as they are before it. */
export const BEFORE = '"_before"';

export type ChangingAction = MutateAction & { readonly changes: OldRows };

export function showsChanges(action: MutateAction): action is ChangingAction {
  return action.changes !== undefined;
}

/** Renders the columns `old` and `new` of a row that the write has returned. */
export function renderChanges(
  action: ChangingAction,
  source: Source,
  builder: StatementBuilder,
): ReadonlyMap<string, string> {
  const names = listReturned(action);
  const { ref } = source;
  const own = renderRow(
    action,
    names.map((name) => `${ref}.${quoteIdentifier(name)}`),
    builder,
  );
  return action.changes.kind === 'deleted'
    ? new Map([
        ['old', own],
        ['new', NO_ROW],
      ])
    : new Map([
        ['old', renderOldRow(action, ref, builder)],
        ['new', own],
      ]);
}

function renderOldRow(action: ChangingAction, ref: string, builder: StatementBuilder): string {
  const names = listReturned(action);
  switch (action.changes.kind) {
    case 'none':
    case 'deleted':
      return NO_ROW;
    case 'merged': {
      const saved = `${ref}.${savedName(action)}`;
      const values = names.map((name, index) => `(${saved})[${index + 1}]::${typeOf(action, name)}`);
      return `CASE WHEN ${saved} IS NOT NULL THEN ${renderRow(action, values, builder)} END`;
    }
    case 'returned':
    case 'locked':
      return renderRow(
        action,
        names.map((_, index) => `${ref}.${oldName(action, index)}`),
        builder,
      );
  }
}

const NO_ROW = 'NULL::json';

export const SAVED = '_old';

function typeOf({ relation }: Pick<MutateAction, 'relation'>, name: string): string {
  return relation.columns.get(name)?.nominalType ?? 'text';
}

/** Renders one row in the form of `select`, as JSON. */
function renderRow(action: ChangingAction, values: readonly string[], builder: StatementBuilder): string {
  const { relation, returning, read } = action;
  const names = listReturned(action);
  const ref = quoteIdentifier(relation.name.name);
  const columns = values.map((value, index) => `${value} AS ${quoteIdentifier(names[index] ?? '')}`);
  const source: Source = {
    ref,
    from: `(SELECT ${columns.join(', ')}) AS ${ref}`,
    conditions: [],
    depth: 0,
    relation: returning?.kind === 'row' ? relation : undefined,
    columns: names,
  };
  const row = builder.alias();
  return `(SELECT row_to_json(${row}.*) FROM (${renderRows({ ...read, order: [] }, source, builder)}) AS ${row})`;
}

/** Continues RETURNING with the old row. */
export function renderReturnedChanges(action: MutateAction, setting: string | undefined): string {
  if (!showsChanges(action)) return '';
  switch (action.changes.kind) {
    case 'deleted':
    case 'none':
      return '';
    case 'merged':
      return `, ${renderSaved(setting ?? '')}::text[] AS ${savedName(action)}`;
    case 'returned':
      return renderOld(action, OLD);
    case 'locked':
      return listReturned(action)
        .map((_, index) => `, ${BEFORE}.${oldName(action, index)}`)
        .join('');
  }
}

/** What a statement returns that finds rows without changing them. */
export function renderUnchanged(action: MutateAction): string {
  const isBeside = showsChanges(action) && (action.changes.kind === 'returned' || action.changes.kind === 'locked');
  return isBeside ? renderOld(action, quoteIdentifier(action.relation.name.name)) : '';
}

function renderOld(action: MutateAction, ref: string): string {
  return listReturned(action)
    .map((name, index) => `, ${ref}.${quoteIdentifier(name)} AS ${oldName(action, index)}`)
    .join('');
}

/** The name of the old row in RETURNING, which no table of the statement has. */
export const OLD = '"_old_row"';

/** @param setting contains the old row of a merge */
export function renderReturning(action: MutateAction, setting?: string): string {
  return `${renderReturningOf(action)} ${renderReturnedColumns(action) ?? '1'}${renderReturnedChanges(action, setting)}`;
}

/** Renders RETURNING up to its columns. */
export function renderReturningOf({ changes }: Pick<MutateAction, 'changes'>): string {
  return changes?.kind === 'returned' ? `RETURNING WITH (OLD AS ${OLD})` : 'RETURNING';
}

/** Renders the values of the row to overwrite as one text, which is never empty. */
export function renderSavedRow(subject: Pick<MutateAction, 'relation'>, names: readonly string[], ref: string): string {
  const texts = names.map((name) => {
    const value = `${ref}.${quoteIdentifier(name)}`;
    return LOSSY_TEXT.test(typeOf(subject, name)) ? `to_json(${value}) #>> '{}'` : `${value}::text`;
  });
  return `ARRAY[${texts.join(', ')}]::text[]::text`;
}

/**
 * Types whose text is not always read as the same value: zones may be abbreviated, as `DateStyle` says, which PostgreSQL
 * before 18 reads as other zones; and blanks at the end are lost.
 */
const LOSSY_TEXT = /^(?:timestamp.* with time zone|bpchar)$/u;

/** Renders the text of the row that was overwritten last; null if the last one is new. */
export function renderSaved(setting: string): string {
  return `nullif(current_setting('${setting}', true), '')`;
}

export interface LockedRows {
  /** Table expressions before the write. */
  readonly tables: readonly string[];
  /** Continues FROM of the write; empty: it needs no locked rows. */
  readonly from: string;
  /** Replaces the filters of the request, which the locked rows satisfy; undefined: the filters remain. */
  readonly where: string | undefined;
}

const NOTHING_LOCKED: LockedRows = { tables: [], from: '', where: undefined };

/**
 * Locks the rows before they are updated, so that the row that was read is the one that is overwritten. They are joined
 * by key: their place (`ctid`) changes when a concurrent transaction updates them first, and the update would be lost.
 *
 * @param others FROM and conditions of further tables, by which elements find their rows
 */
export function renderLockedRows(
  action: MutateAction,
  builder: StatementBuilder,
  others?: { readonly from: string; readonly where: string },
): LockedRows {
  if (action.changes?.kind !== 'locked') return NOTHING_LOCKED;
  const { relation, changes } = action;
  const ref = quoteIdentifier(relation.name.name);
  const filters =
    others?.where ?? (action.where.length > 0 ? renderTarget(action, new Scope(builder, { ref, depth: 0 })) : '');
  const old = listReturned(action).map((name, index) => `${ref}.${quoteIdentifier(name)} AS ${oldName(action, index)}`);
  const { table, where } = renderLock(relation, changes.key, {
    columns: old,
    others: others === undefined ? '' : `, ${others.from}`,
    where: filters === '' ? '' : `WHERE ${filters}`,
  });
  return { tables: [table], from: `, ${BEFORE}`, where };
}

/** @returns a table expression that locks rows, with further columns, and the condition that joins it */
export function renderLock(
  relation: Relation,
  key: readonly string[],
  { columns, others, where }: { readonly columns: readonly string[]; readonly others: string; readonly where: string },
): { readonly table: string; readonly where: string } {
  const ref = quoteIdentifier(relation.name.name);
  const keys = key.map((name, index) => [quoteIdentifier(name), freeName(relation, `_key${index + 1}`)] as const);
  const all = [...keys.map(([name, alias]) => `${ref}.${name} AS ${alias}`), ...columns].join(', ');
  const from = `${quoteQualified(relation.name)}${others}`;
  return {
    table: `${BEFORE} AS MATERIALIZED (SELECT ${all} FROM ${from} ${where} FOR NO KEY UPDATE OF ${ref})`,
    where: keys.map(([name, alias]) => `${ref}.${name} = ${BEFORE}.${alias}`).join(' AND '),
  };
}

function oldName({ relation }: MutateAction, index: number): string {
  return freeName(relation, `_old${index + 1}`);
}

/** The column that contains the values of the row that was overwritten, as text. */
export function savedName({ relation }: Pick<MutateAction, 'relation'>): string {
  return freeName(relation, SAVED);
}

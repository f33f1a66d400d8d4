// The statements that find the rows of a request whatever the policies are, from its plan.
import { type QualifiedName, quoteIdentifier } from '../../../src/contract/identifiers.ts';
import type { Statement } from '../../../src/contract/transaction.ts';
import type { MutateAction, ReadAction } from '../../../src/plan/actions/action-plan.ts';
import type { Condition } from '../../../src/plan/levels/read-plan.ts';
import { renderCondition } from '../../../src/sql/levels/condition.ts';
import { Scope } from '../../../src/sql/levels/scope.ts';
import { renderWrite } from '../../../src/sql/render-mutation.ts';
import { renderArrayLiteral } from '../../../src/sql/text/array-literal.ts';
import { quoteQualified } from '../../../src/sql/text/identifier.ts';
import { StatementBuilder } from '../../../src/sql/text/statement-builder.ts';
import { renderTarget } from '../../../src/sql/writes/target-rows.ts';

/** A row: its literal, then the texts of its key. */
export interface FoundRow {
  /** As a value of the type of the relation. */
  readonly literal: string;
  readonly key: readonly string[];
}

/** More are not looked at. */
export const MAX_ROWS = 100;

export function readFound(rows: readonly (readonly (string | null)[])[]): readonly FoundRow[] {
  return rows.map(([literal, ...key]) => ({ literal: literal ?? '', key: key.map((value) => value ?? 'null') }));
}

/** @param source replaces the relation in FROM: the query of a view */
export function renderAsked(
  action: ReadAction | MutateAction,
  { key, source }: { readonly key: readonly string[]; readonly source?: string | undefined },
): Statement {
  const relation = action.kind === 'read' ? action.read.relation : action.relation.name;
  const builder = new StatementBuilder(relation.name);
  const ref = quoteIdentifier(relation.name);
  const scope = new Scope(builder, { ref, depth: 0 });
  const where = action.kind === 'read' ? renderAll(action.read.where, scope) : renderFilters(action, scope);
  const from = `${source ?? quoteQualified(relation)} AS ${ref}`;
  return {
    text: `SELECT ${renderRow(ref, key)} FROM ${from}${where === '' ? '' : ` WHERE ${where}`} LIMIT ${MAX_ROWS + 1}`,
    parameters: builder.parameters,
  };
}

function renderFilters(action: MutateAction, scope: Scope): string {
  return action.where.length > 0 ? renderTarget(action, scope) : '';
}

/** Whether embeds have rows depends on other tables. */
function renderAll(conditions: readonly Condition[], scope: Scope): string {
  return conditions.map((condition) => renderCondition(condition, scope, () => 'TRUE')).join(' AND ');
}

function renderRow(ref: string, key: readonly string[]): string {
  return [`(${ref}.*)::text`, ...key.map((name) => `${ref}.${quoteIdentifier(name)}::text`)].join(', ');
}

/** The rows with these keys. */
export function renderKeyed(
  relation: QualifiedName,
  key: readonly string[],
  keys: readonly (readonly string[])[],
): Statement {
  const ref = quoteIdentifier(relation.name);
  const own = key.map((name) => `${ref}.${quoteIdentifier(name)}::text`);
  const lists = key.map((_, index) => `$${index + 1}::text[]`);
  return {
    text: `SELECT ${renderRow(ref, key)} FROM ${quoteQualified(relation)} AS ${ref}
WHERE (${own.join(', ')}) IN (SELECT * FROM ROWS FROM (${lists.map((list) => `pg_catalog.unnest(${list})`).join(', ')}) AS given)`,
    parameters: key.map((_, index) => renderArrayLiteral(keys.map((values) => values[index] ?? ''))),
  };
}

/** The rows that a table has from this transaction or later ones, among them those of savepoints. */
export function renderTouched(relation: QualifiedName, key: readonly string[], transaction: string): Statement {
  const ref = quoteIdentifier(relation.name);
  return {
    text: `SELECT ${renderRow(ref, key)} FROM ${quoteQualified(relation)} AS ${ref}
WHERE pg_catalog.age(${ref}.xmin) <= pg_catalog.age($1::xid) LIMIT ${MAX_ROWS}`,
    parameters: [transaction],
  };
}

/** Runs the write of a request, and returns its rows as they become. */
export function renderWritten(action: MutateAction, settingsPrefix: string, key: readonly string[]): Statement {
  const { relation } = action;
  const whole: MutateAction = {
    ...action,
    returning: { kind: 'row' },
    changes: undefined,
    showsInserted: false,
    keepsOrder: false,
    locationKey: [],
    returnPreference: 'representation',
  };
  const builder = new StatementBuilder(relation.name.name);
  const { tables, source } = renderWrite(whole, builder, settingsPrefix);
  const ref = quoteIdentifier(relation.name.name);
  const columns = [...relation.columns.keys()].map((name) => `${ref}.${quoteIdentifier(name)}`);
  const keys = key.map((name) => `, ${ref}.${quoteIdentifier(name)}::text`).join('');
  return {
    text: `WITH ${tables.join(', ')} SELECT ROW(${columns.join(', ')})::text${keys} FROM ${source.from}`,
    parameters: builder.parameters,
  };
}

/** Leaves only the rows with these keys to a write. */
export function restrictTo(action: MutateAction, key: readonly string[], rows: readonly FoundRow[]): MutateAction {
  if (key.length === 0) return action;
  const members = rows.map((row): Condition =>
    group(
      'and',
      key.map((column, index) => equals(column, row.key[index] ?? '')),
    ),
  );
  return { ...action, where: [...action.where, group('or', members)] };
}

function group(operator: 'and' | 'or', members: readonly Condition[]): Condition {
  return { kind: 'group', operator, negated: false, members };
}

function equals(column: string, value: string): Condition {
  return {
    kind: 'filter',
    field: { column, path: [], toJson: false },
    negated: false,
    operation: { kind: 'compare', operator: 'eq', quantifier: undefined, value },
    parser: undefined,
    toTsvector: false,
  };
}

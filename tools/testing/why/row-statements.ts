// The statements that find the rows of a request whatever the policies are, from its plan.
import { type QualifiedName, quoteIdentifier } from '../../../src/contract/identifiers.ts';
import type { Statement } from '../../../src/contract/transaction.ts';
import type { MutateAction, ReadAction } from '../../../src/plan/actions/action-plan.ts';
import type { Condition, FilterCondition } from '../../../src/plan/levels/read-plan.ts';
import { renderCondition } from '../../../src/sql/levels/condition.ts';
import { Scope } from '../../../src/sql/levels/scope.ts';
import { renderWrite } from '../../../src/sql/render-mutation.ts';
import { renderArrayLiteral } from '../../../src/sql/text/array-literal.ts';
import { quoteQualified } from '../../../src/sql/text/identifier.ts';
import { StatementBuilder } from '../../../src/sql/text/statement-builder.ts';
import { renderPayloadRows } from '../../../src/sql/writes/payload.ts';
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

interface Output {
  readonly key: readonly string[];
  /** Replaces the relation in FROM: the query of a view. */
  readonly source?: string | undefined;
}

/** Whatever the filters need. */
export function renderAsked(action: ReadAction | MutateAction, { key, source }: Output): Statement {
  return renderFiltered(action, source, (ref) => renderRow(ref, key));
}

/** The keys alone, for which a role needs no other privilege. */
export function renderSeen(action: ReadAction | MutateAction, key: readonly string[]): Statement {
  return renderFiltered(action, undefined, (ref) => ["''", ...keysOf(ref, key)].join(', '));
}

function renderFiltered(
  action: ReadAction | MutateAction,
  source: string | undefined,
  renderOutput: (ref: string) => string,
): Statement {
  const relation = action.kind === 'read' ? action.read.relation : action.relation.name;
  const builder = new StatementBuilder(relation.name);
  const ref = quoteIdentifier(relation.name);
  const scope = new Scope(builder, { ref, depth: 0 });
  const where = action.kind === 'read' ? renderAll(action.read.where, scope) : renderFilters(action, scope);
  const from = `${source ?? quoteQualified(relation)} AS ${ref}`;
  return {
    text: `SELECT ${renderOutput(ref)} FROM ${from}${where === '' ? '' : ` WHERE ${where}`} LIMIT ${MAX_ROWS + 1}`,
    parameters: builder.parameters,
  };
}

/** Names the functions and other tables that conditions read, whose result depends on the role. */
export function listDependencies(conditions: readonly Condition[], columns: readonly string[]): readonly string[] {
  const names = conditions.flatMap((condition): readonly string[] => {
    if (condition.kind === 'group') return listDependencies(condition.members, columns);
    if (condition.kind === 'related') return [condition.relationship.target.name];
    if (condition.kind !== 'filter') return [];
    const { field, operation } = condition;
    const fields = [field.column, ...(operation.kind === 'compareColumn' ? [operation.field.column] : [])];
    return fields.filter((name) => !columns.includes(name));
  });
  return [...new Set(names)];
}

export function conditionsOf(action: ReadAction | MutateAction): readonly Condition[] {
  return action.kind === 'read' ? action.read.where : action.where;
}

function renderFilters(action: MutateAction, scope: Scope): string {
  return action.where.length > 0 ? renderTarget(action, scope) : '';
}

/** Whether embeds have rows depends on other tables. */
function renderAll(conditions: readonly Condition[], scope: Scope): string {
  return conditions.map((condition) => renderCondition(condition, scope, () => 'TRUE')).join(' AND ');
}

export function renderRow(ref: string, key: readonly string[]): string {
  return [`(${ref}.*)::text`, ...keysOf(ref, key)].join(', ');
}

function keysOf(ref: string, key: readonly string[]): readonly string[] {
  return key.map((name) => `${ref}.${quoteIdentifier(name)}::text`);
}

/** The rows with these keys. */
export function renderKeyed(
  relation: QualifiedName,
  key: readonly string[],
  keys: readonly (readonly string[])[],
): Statement {
  const ref = quoteIdentifier(relation.name);
  const own = keysOf(ref, key);
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

/** The stored rows that the rows of a payload conflict with; undefined: that is not known before they are written. */
export function renderConflicting(
  { relation, payload, conflict }: MutateAction,
  key: readonly string[],
): Statement | undefined {
  const target = conflict?.target;
  if (payload === undefined || target === undefined || target === 'any' || target.predicate !== undefined)
    return undefined;
  const columns = target.keys.map((one) => (one.kind === 'column' ? one.name : undefined));
  const given = new Set(payload.columns.map(({ column }) => column.name));
  const builder = new StatementBuilder(relation.name.name);
  const ref = quoteIdentifier(relation.name.name);
  const rows = builder.alias();
  const tests: string[] = [];
  for (const name of columns) {
    if (name === undefined || !given.has(name)) return undefined;
    tests.push(`${ref}.${quoteIdentifier(name)} = ${rows}.${quoteIdentifier(name)}`);
  }
  return {
    text: `SELECT ${renderRow(ref, key)} FROM ${quoteQualified(relation.name)} AS ${ref}
WHERE EXISTS (SELECT FROM (${renderPayloadRows(payload, builder)}) AS ${rows} WHERE ${tests.join(' AND ')}) LIMIT ${MAX_ROWS}`,
    parameters: builder.parameters,
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
  const keys = keysOf(ref, key).map((column) => `, ${column}`);
  return {
    text: `WITH ${tables.join(', ')} SELECT ROW(${columns.join(', ')})::text${keys.join('')} FROM ${source.from}`,
    parameters: builder.parameters,
  };
}

/** Leaves only the rows with these keys to a write. */
export function restrictTo(action: MutateAction, key: readonly string[], rows: readonly FoundRow[]): MutateAction {
  if (key.length === 0) return action;
  return { ...action, where: [...action.where, conditionOn(key, rows)] };
}

/** Holds for the rows with these keys. */
export function conditionOn(key: readonly string[], rows: readonly FoundRow[]): Condition {
  const members = rows.map((row): Condition =>
    group(
      'and',
      key.map((column, index) =>
        compare(column, { kind: 'compare', operator: 'eq', quantifier: undefined, value: row.key[index] ?? '' }),
      ),
    ),
  );
  return members.length === 0 ? compare(key[0] ?? '', { kind: 'in', values: [] }) : group('or', members);
}

function group(operator: 'and' | 'or', members: readonly Condition[]): Condition {
  return { kind: 'group', operator, negated: false, members };
}

function compare(column: string, operation: FilterCondition['operation']): Condition {
  const field = { column, path: [], toJson: false };
  return { kind: 'filter', field, negated: false, operation, parser: undefined, toTsvector: false };
}

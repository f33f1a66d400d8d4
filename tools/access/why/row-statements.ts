// The statements that find the rows of a request whatever the policies are, from its plan: those of the relation that it
// names, embedded ones, and those that its conditions look for. They list literals, then keys.
import type { Relationship } from '../../../src/catalog/schema-cache.ts';
import { type QualifiedName, quoteIdentifier } from '../../../src/contract/identifiers.ts';
import type { Statement } from '../../../src/contract/transaction.ts';
import type { MutateAction, ReadAction } from '../../../src/plan/actions/action-plan.ts';
import type { Condition, FilterCondition } from '../../../src/plan/levels/read-plan.ts';
import { renderCondition } from '../../../src/sql/levels/condition.ts';
import { renderEmbedSource } from '../../../src/sql/levels/from.ts';
import { Scope } from '../../../src/sql/levels/scope.ts';
import { renderArrayLiteral } from '../../../src/sql/text/array-literal.ts';
import { quoteQualified } from '../../../src/sql/text/identifier.ts';
import { StatementBuilder } from '../../../src/sql/text/statement-builder.ts';
import { renderPayloadRows } from '../../../src/sql/writes/payload.ts';
import { renderVersionTest } from '../../../src/sql/writes/row-version.ts';
import type { FoundRow } from './probe.ts';

/** More are not looked at. */
export const MAX_ROWS = 100;

/** The rows of a relation. */
export interface Root {
  readonly relation: QualifiedName;
  readonly where: readonly Condition[];
  /** The versions of rows that a write concerns. */
  readonly condition?: MutateAction['condition'];
}

/** Leads to the rows of another relation. */
export interface Step {
  readonly relationship: Exclude<Relationship, { readonly kind: 'computed' }>;
  readonly where: readonly Condition[];
}

export interface Way {
  readonly root: Root;
  /** The query of a view that replaces the root. */
  readonly rootSource?: string | undefined;
  readonly steps: readonly Step[];
}

export function rootOf(action: ReadAction | MutateAction): Root {
  return action.kind === 'read'
    ? { relation: action.read.relation, where: action.read.where }
    : { relation: action.relation.name, where: action.where, condition: action.condition };
}

/** Splits relationships through a junction, whose policies decide as well. */
export function splitStep({ relationship, where }: Step): readonly Step[] {
  if (relationship.kind !== 'manyToMany') return [{ relationship, where }];
  const { junction, originColumns, targetColumns, originConstraint, targetConstraint, ...ends } = relationship;
  const first = { ...ends, target: junction, targetIsView: false, constraint: originConstraint };
  const last = { ...ends, origin: junction, originIsView: false, constraint: targetConstraint };
  return [
    { relationship: { ...first, columns: originColumns, kind: 'oneToMany', isParent: true }, where: [] },
    { relationship: { ...last, columns: targetColumns, kind: 'manyToOne', isParent: false }, where },
  ];
}

/** @param source the query of a view that replaces the relation at the end */
export function renderRows(
  { root, rootSource, steps }: Way,
  { shown, source }: { readonly shown: readonly string[]; readonly source: string | undefined },
  render: typeof renderRow = renderRow,
): Statement {
  const builder = new StatementBuilder(root.relation.name);
  let scope = new Scope(builder, { ref: quoteIdentifier(root.relation.name), depth: 0 });
  // Whether embeds have rows depends on other tables.
  const renderAll = (where: readonly Condition[]): readonly string[] =>
    where.map((condition) => renderCondition(condition, scope, () => 'TRUE'));
  const own = steps.length === 0 ? source : rootSource;
  const from = [`${own ?? quoteQualified(root.relation)} AS ${scope.ref}`];
  const conditions = [...renderAll(root.where), renderVersionTest(root.condition, scope.ref, builder) ?? 'TRUE'];
  for (const [index, { relationship, where }] of steps.entries()) {
    const joined = renderEmbedSource(relationship, scope, builder);
    const isLast = index === steps.length - 1;
    from.push(isLast && source !== undefined ? `${source} AS ${joined.ref}` : joined.from);
    scope = new Scope(builder, joined);
    conditions.push(...joined.conditions, ...renderAll(where));
  }
  return {
    text: `SELECT ${steps.length === 0 ? '' : 'DISTINCT '}${render(scope.ref, shown)} FROM ${from.join(', ')}
WHERE ${conditions.join(' AND ')} LIMIT ${MAX_ROWS + 1}`,
    parameters: builder.parameters,
  };
}

function renderRow(ref: string, key: readonly string[]): string {
  return [`(${ref}.*)::text`, ...keysOf(ref, key)].join(', ');
}

/** The key alone, for which a role needs no other privilege. */
export function renderKey(ref: string, key: readonly string[]): string {
  return ["''", ...keysOf(ref, key)].join(', ');
}

function keysOf(ref: string, key: readonly string[]): readonly string[] {
  return key.map((name) => `${ref}.${quoteIdentifier(name)}::text`);
}

/** The rows with these keys. */
export function renderKeyed(relation: QualifiedName, key: readonly string[], rows: readonly FoundRow[]): Statement {
  const ref = quoteIdentifier(relation.name);
  const lists = key.map((_, index) => `pg_catalog.unnest($${index + 1}::text[])`);
  return {
    text: `SELECT ${renderRow(ref, key)} FROM ${quoteQualified(relation)} AS ${ref}
WHERE (${keysOf(ref, key).join(', ')}) IN (SELECT * FROM ROWS FROM (${lists.join(', ')}) AS given)`,
    parameters: key.map((_, index) => renderArrayLiteral(rows.map((row) => row.key[index] ?? ''))),
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
  const given = new Set(payload.columns.map(({ column }) => column.name));
  const builder = new StatementBuilder(relation.name.name);
  const ref = quoteIdentifier(relation.name.name);
  const rows = builder.alias();
  const tests: string[] = [];
  for (const one of target.keys) {
    if (one.kind !== 'column' || !given.has(one.name)) return undefined;
    tests.push(`${ref}.${quoteIdentifier(one.name)} = ${rows}.${quoteIdentifier(one.name)}`);
  }
  return {
    text: `SELECT ${renderRow(ref, key)} FROM ${quoteQualified(relation.name)} AS ${ref}
WHERE EXISTS (SELECT FROM (${renderPayloadRows(payload, builder)}) AS ${rows} WHERE ${tests.join(' AND ')}) LIMIT ${MAX_ROWS}`,
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

/** Holds for the rows with these keys. */
export function conditionOn(key: readonly string[], rows: readonly FoundRow[]): Condition {
  const members = rows.map((row): Condition => {
    const tests = key.map((column, index) =>
      compare(column, { kind: 'compare', operator: 'eq', quantifier: undefined, value: row.key[index] ?? '' }),
    );
    return { kind: 'group', operator: 'and', negated: false, members: tests };
  });
  if (members.length === 0) return compare(key[0] ?? '', { kind: 'in', values: [] });
  return { kind: 'group', operator: 'or', negated: false, members };
}

function compare(column: string, operation: FilterCondition['operation']): Condition {
  const field = { column, path: [], toJson: false };
  return { kind: 'filter', field, negated: false, operation, parser: undefined, toTsvector: false };
}

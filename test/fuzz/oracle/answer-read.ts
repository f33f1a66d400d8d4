// Computes the response to a read model by nested loops over the rows of the tables: the specification again, without
// SQL.
import {
  isShown,
  type Aggregate,
  type Child,
  type Condition,
  type Level,
  type Link,
  type OrderTerm,
  type Row,
  type Tables,
  type Value,
} from './read-model.ts';

export type Shown = { readonly [key: string]: unknown };

export interface Answering {
  readonly tables: Tables;
  /** If false, limits and offsets are ignored, as for a count (`reading.md` §9.4). */
  readonly isWindowed: boolean;
}

export function answerRead(level: Level, answering: Answering): readonly Shown[] {
  return answerRows(level, answering.tables[level.relation] ?? [], answering);
}

/** Returns the rows that a write with conditions on its own columns changes. */
export function chooseRows({ relation, conditions }: Level, tables: Tables): readonly Row[] {
  const embedded = new Map<Child, readonly Shown[]>();
  return (tables[relation] ?? []).filter((row) =>
    conditions.every((condition) => evaluate(condition, { row, embedded }) === true),
  );
}

/** A row that satisfies all conditions, with the rows of its embeds. */
interface Found {
  readonly row: Row;
  readonly embedded: ReadonlyMap<Child, readonly Shown[]>;
}

/** Like `answerRead`, for rows that do not come from a table. */
export function answerRows(level: Level, candidates: readonly Row[], answering: Answering): readonly Shown[] {
  const found = candidates
    .map((row): Found => ({ row, embedded: embed(level, row, answering) }))
    .filter(({ embedded }) => level.children.every((child) => !child.isInner || isPresent(child, embedded)))
    .filter((one) => level.conditions.every((condition) => evaluate(condition, one) === true));
  if (level.aggregates.length > 0) return group(level, found);
  const sorted = found.toSorted((a, b) => compareMatches(level.order, a, b));
  const end = level.limit === undefined ? undefined : level.offset + level.limit;
  const page = answering.isWindowed ? sorted.slice(level.offset, end) : sorted;
  return page.map((one) => show(level, one));
}

function embed(level: Level, row: Row, answering: Answering): ReadonlyMap<Child, readonly Shown[]> {
  return new Map(
    level.children.map((child) => [
      child,
      answerRows(child.level, follow(child.link, row, answering.tables), answering),
    ]),
  );
}

function follow({ relation, columns: [own, foreign], junction }: Link, row: Row, tables: Tables): readonly Row[] {
  const value = row[own] ?? null;
  const targets = tables[relation] ?? [];
  if (value === null) return [];
  if (junction === undefined) return targets.filter((target) => target[foreign] === value);
  const between = (tables[junction.relation] ?? []).filter((row) => row[junction.own] === value);
  return between.flatMap((row) => targets.filter((target) => target[foreign] === row[junction.foreign]));
}

function isPresent(child: Child, embedded: Found['embedded']): boolean {
  return (embedded.get(child) ?? []).length > 0;
}

/** Evaluates in three-valued logic: null is unknown. */
function evaluate(condition: Condition, found: Found): boolean | null {
  switch (condition.kind) {
    case 'presence':
      return isPresent(condition.child, found.embedded) === condition.isPresent;
    case 'group': {
      const decisive = condition.operator === 'or';
      const results = new Set(condition.members.map((member) => evaluate(member, found)));
      const result = results.has(decisive) ? decisive : results.has(null) ? null : !decisive;
      return condition.isNegated ? negate(result) : result;
    }
    case 'column': {
      const result = compare(condition, found.row[condition.column] ?? null);
      return condition.isNegated ? negate(result) : result;
    }
  }
}

function negate(result: boolean | null): boolean | null {
  return result === null ? null : !result;
}

function compare({ operator, values }: Extract<Condition, { kind: 'column' }>, value: Value): boolean | null {
  const [other = null] = values;
  if (operator === 'is') return value === null;
  if (operator === 'isdistinct') return value !== other;
  if (value === null || other === null) return null;
  switch (operator) {
    case 'eq':
      return value === other;
    case 'neq':
      return value !== other;
    case 'gt':
      return value > other;
    case 'lte':
      return value <= other;
    case 'in':
      return values.includes(value);
  }
}

function compareMatches(order: readonly OrderTerm[], a: Found, b: Found): number {
  for (const term of order) {
    const result = compareValues(term, orderValue(term, a), orderValue(term, b));
    if (result !== 0) return result;
  }
  return 0;
}

function orderValue({ child, column }: OrderTerm, { row, embedded }: Found): Value {
  const source = child === undefined ? row : (embedded.get(child) ?? [])[0];
  return (source?.[column] ?? null) as Value;
}

function compareValues({ direction, nulls }: OrderTerm, a: Value, b: Value): number {
  const isNullFirst = nulls === undefined ? direction === 'desc' : nulls === 'nullsfirst';
  if (a === null || b === null) return a === b ? 0 : (a === null) === isNullFirst ? -1 : 1;
  const result = a < b ? -1 : a > b ? 1 : 0;
  return direction === 'desc' ? -result : result;
}

function show(level: Level, { row, embedded }: Found): Shown {
  const shown: Record<string, unknown> = {};
  for (const { key, column } of level.columns) shown[key] = row[column];
  for (const child of level.children.filter(isShown)) {
    const rows = embedded.get(child) ?? [];
    if (child.shape === 'nested') shown[child.key] = child.link.isToOne ? (rows[0] ?? null) : rows;
    else
      for (const key of keysOf(child.level))
        shown[key] = child.link.isToOne ? (rows[0]?.[key] ?? null) : rows.map((one) => one[key]);
  }
  return shown;
}

function keysOf({ columns, aggregates, children }: Level): readonly string[] {
  return [
    ...[...columns, ...aggregates].map(({ key }) => key),
    ...children.filter(isShown).flatMap((child) => (child.shape === 'spread' ? keysOf(child.level) : [child.key])),
  ];
}

/** Groups rows with equal values; without any column, all rows form one group, even if there are none. */
function group(level: Level, found: readonly Found[]): readonly Shown[] {
  const groups = new Map<string, { readonly shown: Shown; readonly rows: Row[] }>();
  const isWhole = level.columns.length === 0 && !level.children.some(isShown);
  if (isWhole) groups.set('{}', { shown: {}, rows: [] });
  for (const one of found) {
    const shown = show(level, one);
    const key = canonical(shown);
    const rows = groups.get(key)?.rows ?? [];
    groups.set(key, { shown, rows: [...rows, one.row] });
  }
  return [...groups.values()].map(({ shown, rows }) => {
    const values = level.aggregates.map((aggregate) => [aggregate.key, aggregateRows(aggregate, rows)] as const);
    return Object.fromEntries([...Object.entries(shown), ...values]);
  });
}

function aggregateRows({ function: name, column }: Aggregate, rows: readonly Row[]): number | null {
  const values = rows.map((row) => row[column]).filter((value) => typeof value === 'number');
  if (name === 'count()') return rows.length;
  if (name === 'count') return values.length;
  if (values.length === 0) return null;
  if (name === 'sum') return values.reduce((sum, value) => sum + value, 0);
  return name === 'max' ? Math.max(...values) : Math.min(...values);
}

/** Returns equal texts for equal responses: sorts keys, and the rows of grouped levels, which have no order. */
export function canonicalAnswer(level: Level, rows: readonly Shown[]): string {
  return canonical(settleRows(level, rows));
}

function settleRows(level: Level, rows: readonly Shown[]): readonly Shown[] {
  const settled = rows.map((row) => settle(level, row));
  return level.aggregates.length === 0 ? settled : settled.toSorted((a, b) => (canonical(a) < canonical(b) ? -1 : 1));
}

function settle({ children }: Level, row: Shown): Shown {
  const levels = new Map(children.filter(({ shape }) => shape === 'nested').map(({ key, level }) => [key, level]));
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, settleValue(levels.get(key), value)]));
}

function settleValue(level: Level | undefined, value: unknown): unknown {
  if (level === undefined || value === null) return value;
  return Array.isArray(value) ? settleRows(level, value as readonly Shown[]) : settle(level, value as Shown);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

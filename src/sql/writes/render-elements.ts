// Renders the UPDATE of a PATCH whose elements find their rows by the columns in `match` (`beyond.md` §2.3).
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type {
  ElementColumn,
  ElementsPlan,
  MutateAction,
  PayloadColumn,
  PayloadPlan,
} from '../../plan/actions/action-plan.ts';
import { joinClauses } from '../levels/read.ts';
import { renderLockedRows, renderReturnedChanges, renderReturningOf, renderUnchanged } from './changes.ts';
import { renderOperation } from './operation.ts';
import { renderSettingAfter } from '../text/read-setting.ts';
import { quoteQualified } from '../text/identifier.ts';
import type { StatementBuilder } from '../text/statement-builder.ts';
import { freeName, listReturned, SOURCE, starOf, type WrittenRows } from './written-rows.ts';

const ELEMENTS = '"_elements"';

export interface ElementsContext {
  readonly builder: StatementBuilder;
  /** Name of the setting that names a column whose stored JSON is not an array. */
  readonly fault: string;
  /** The filters of the request; empty: none. */
  readonly where: string;
}

type ElementsPayload = PayloadPlan & { readonly elements: ElementsPlan };

/** Columns of the written rows that describe their element, quoted. */
interface Notes {
  readonly position: string;
  readonly first: string;
  readonly last: string;
}

export function renderElementsUpdate(
  action: MutateAction,
  payload: ElementsPayload,
  context: ElementsContext,
): WrittenRows {
  const { relation } = action;
  const ref = quoteIdentifier(relation.name.name);
  const notes: Notes = {
    position: freeName(relation, '_n'),
    first: freeName(relation, '_first'),
    last: freeName(relation, '_last'),
  };
  const elements = renderElements(action, payload, context.builder);
  const statement = renderStatement(action, payload, { ...context, notes });
  return {
    tables: [`${ELEMENTS} AS MATERIALIZED (${elements})`, ...statement.tables, `${SOURCE} AS (${statement.text})`],
    inserted: 'NULL',
    report: renderReport(payload, context, notes),
    total: undefined,
    source: { from: `${SOURCE} AS ${ref}`, columns: starOf(action), order: `${ref}.${notes.position}` },
  };
}

/** Without columns to set there is no UPDATE, which would need a privilege. */
function renderStatement(
  action: MutateAction,
  payload: ElementsPayload,
  { notes, ...context }: ElementsContext & { readonly notes: Notes },
): { readonly tables: readonly string[]; readonly text: string } {
  const { relation } = action;
  const ref = quoteIdentifier(relation.name.name);
  const element = context.builder.alias();
  const matches = payload.elements.match.map(
    ({ column }, index) => `${ref}.${quoteIdentifier(column.name)} = ${element}."c${index + 1}"`,
  );
  const where = [...matches, ...(context.where === '' ? [] : [context.where])].join(' AND ');
  const returned = [
    ...listReturned(action).map((name) => `${ref}.${quoteIdentifier(name)}`),
    `${element}."n" AS ${notes.position}`,
    `${element}."first" AS ${notes.first}`,
    `${element}."last" AS ${notes.last}`,
  ].join(', ');
  const table = quoteQualified(relation.name);
  const assignments = renderAssignments(action, payload, { ...context, element });
  const from = `${ELEMENTS} AS ${element}`;
  if (assignments.length === 0) {
    const text = `SELECT ${returned}${renderUnchanged(action)} FROM ${table}, ${from} WHERE ${where}`;
    return { tables: [], text };
  }
  const locked = renderLockedRows(action, context.builder, { from, where });
  const conditions = [where, ...(locked.where === undefined ? [] : [locked.where])].join(' AND ');
  const text = joinClauses([
    `UPDATE ${table} SET ${assignments.join(', ')} FROM ${from}${locked.from} WHERE ${conditions}`,
    `${renderReturningOf(action)} ${returned}${renderReturnedChanges(action, undefined)}`,
  ]);
  return { tables: locked.tables, text };
}

/**
 * Renders a JSON object: `fault`, a column whose stored JSON is not an array; `twice`, the indexes of two elements that
 * match the same row; and `unmatched`, the indexes of the elements that match none. Each is null if there is none.
 */
function renderReport({ elements }: ElementsPayload, { fault }: ElementsContext, notes: Notes): string {
  const { position, first, last } = notes;
  const twice = `SELECT json_build_array(${first}, ${last}) FROM ${SOURCE} WHERE ${first} <> ${last} ORDER BY ${first} LIMIT 1`;
  const found = `SELECT ${position} FROM ${SOURCE}`;
  const unmatched = `SELECT json_agg("n" ORDER BY "n") FROM ${ELEMENTS} WHERE "n" NOT IN (${found})`;
  const members = [
    `'fault', ${renderSettingAfter(fault, SOURCE)}`,
    `'twice', (${twice})`,
    `'unmatched', ${elements.isComplete ? `(${unmatched})` : 'NULL'}`,
  ];
  return `json_build_object(${members.join(', ')})::text`;
}

/**
 * Renders one row per element: its values as `c1`, `c2` and so on, those of `match` first; the element itself as `v`;
 * its index as `n`; and the indexes of the first and the last element that match the same rows.
 */
function renderElements(
  { relation }: MutateAction,
  { bytes, isArray, elements: { match, changes } }: ElementsPayload,
  builder: StatementBuilder,
): string {
  const body = `${builder.bindPayload(bytes)}::json`;
  const list = isArray ? body : `json_build_array(${body})`;
  const keys = [...match.map(({ column }) => column.name), ...changes.map(({ key }) => key)];
  const columns: readonly PayloadColumn[] = [...match, ...changes];
  const types = columns.map(({ column, reader, operation }, index) => {
    const type = operation?.operandType ?? (reader ? 'json' : column.nominalType);
    return `${quoteIdentifier(keys[index] ?? '')} ${type}`;
  });
  const row = builder.alias();
  const values = columns.map(({ reader }, index) => {
    const value = `${row}."c${index + 1}"`;
    return reader === undefined ? value : `${quoteQualified(reader)}(${value})`;
  });
  // Takes the collation from the stored column, by which values that differ as texts may be equal.
  const stored = `(NULL::${quoteQualified(relation.name)})`;
  const same = match.map(
    ({ column }, index) => `coalesce(${stored}.${quoteIdentifier(column.name)}, ${values[index]})`,
  );
  const window = `OVER (PARTITION BY ${same.join(', ')})`;
  const names = [...columns.map((_, index) => `"c${index + 1}"`), '"v"', '"n"'];
  return joinClauses([
    `SELECT ${values.map((value, index) => `${value} AS "c${index + 1}"`).join(', ')}, ${row}."v", ${row}."n" - 1 AS "n",`,
    `min(${row}."n" - 1) ${window} AS "first", max(${row}."n" - 1) ${window} AS "last"`,
    `FROM ROWS FROM (json_to_recordset(${list}) AS (${types.join(', ')}), json_array_elements(${list}))`,
    `WITH ORDINALITY AS ${row}(${names.join(', ')})`,
  ]);
}

interface AssignmentContext extends ElementsContext {
  /** Quoted alias of the elements. */
  readonly element: string;
}

/** Elements without a key of the column leave it as it is, or set its default with `missing=default`. */
function renderAssignments(
  { relation }: MutateAction,
  { appliesDefaults, elements: { match, changes } }: ElementsPayload,
  context: AssignmentContext,
): readonly string[] {
  const { builder, element } = context;
  const byColumn = new Map<string, { readonly change: ElementColumn; readonly value: string }[]>();
  for (const [index, change] of changes.entries()) {
    const { name } = change.column;
    const stored = `${quoteIdentifier(relation.name.name)}.${quoteIdentifier(name)}`;
    const value = renderChange(change, { stored, given: `${element}."c${match.length + index + 1}"` }, context);
    byColumn.set(name, [...(byColumn.get(name) ?? []), { change, value }]);
  }
  return Array.from(byColumn, ([name, choices]) => {
    const column = quoteIdentifier(name);
    const [only] = choices;
    if (only !== undefined && choices.length === 1 && !only.change.isOptional) return `${column} = ${only.value}`;
    const branches = choices.map(
      ({ change, value }) => `WHEN ${element}."v" -> ${builder.bind(change.key)}::text IS NOT NULL THEN ${value}`,
    );
    const stored = `${quoteIdentifier(relation.name.name)}.${column}`;
    const otherwise = appliesDefaults ? renderDefault(only?.change) : stored;
    return `${column} = CASE ${branches.join(' ')} ELSE ${otherwise} END`;
  });
}

function renderChange(
  { column, operation }: ElementColumn,
  { stored, given }: { readonly stored: string; readonly given: string },
  { builder, fault }: AssignmentContext,
): string {
  if (operation === undefined) return given;
  const value = renderOperation(operation, { column: column.name, stored, given }, { builder, fault });
  return operation.kind === 'merge' ? `(${value})::${column.type}` : value;
}

/** Cast, because the expression need not have the type of the column. */
function renderDefault(change: ElementColumn | undefined): string {
  const { defaultExpression, type } = change?.column ?? {};
  return defaultExpression === undefined ? 'NULL' : `CAST(${defaultExpression} AS ${type})`;
}

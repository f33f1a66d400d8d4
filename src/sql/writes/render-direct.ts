// Renders a write as a statement without table expressions and functions of rows, which Citus passes on to the shard of
// the row. It has the parameters of the usual form in the same order, and that is its general form.
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { Column } from '../../catalog/schema-cache.ts';
import type { DirectWrite, MutateAction } from '../../plan/actions/action-plan.ts';
import { joinClauses } from '../levels/read.ts';
import { Scope } from '../levels/scope.ts';
import { quoteQualified } from '../text/identifier.ts';
import type { StatementBuilder } from '../text/statement-builder.ts';
import { renderTarget } from './target-rows.ts';

/** Counts, settings, `inserted` and `location` are unknown; dates have the style ISO. */
const HEAD = 'NULL, NULL, NULL, NULL, NULL, NULL, TRUE';

export function renderDirect(action: MutateAction, { rows }: DirectWrite, builder: StatementBuilder): string {
  const { relation, mutation, payload } = action;
  const table = quoteQualified(relation.name);
  const scope = new Scope(builder, { ref: quoteIdentifier(relation.name.name), depth: 0 });
  const returning = rows === undefined ? '' : `RETURNING ${[HEAD, ...renderShown(action, scope)].join(', ')}`;
  if (mutation === 'delete' || payload === undefined)
    return joinClauses([`DELETE FROM ${table}`, renderWhere(action, scope), returning]);
  const names = payload.columns.map(({ column }) => quoteIdentifier(column.name));
  // Reads the members of the object as `json_to_record` does. The assignment checks lengths and domains.
  const object = `${builder.bindPayload(payload.bytes)}::json`;
  const values = payload.columns.map(({ column }) => {
    // A key is part of the statement, as the name of the column is. No setting changes how it is read.
    const key = `E'${column.name.replaceAll(/['\\]/gu, '$&$&')}'`;
    const text = `${object} ->> ${key}`;
    if (!JSON_TYPES.has(column.type)) return `(${text})::${column.type}`;
    // A string of a column of type json is written out by to_json.
    const string =
      column.type === 'json' ? `WHEN json_typeof(${object} -> ${key}) = 'string' THEN to_json(${text}) ` : '';
    return `CASE ${string}WHEN ${text} IS NOT NULL THEN (${object} -> ${key})::${column.type} END`;
  });
  if (mutation === 'insert')
    return joinClauses([`INSERT INTO ${table} (${names.join(', ')}) VALUES (${values.join(', ')})`, returning]);
  const assignments = names.map((name, index) => `${name} = ${values[index] ?? 'NULL'}`);
  return joinClauses([`UPDATE ${table} SET ${assignments.join(', ')}`, renderWhere(action, scope), returning]);
}

function renderWhere(action: MutateAction, scope: Scope): string {
  return action.where.length > 0 ? `WHERE ${renderTarget(action, scope)}` : '';
}

/**
 * The casts change nothing, but fail if a column has another type by now: the server could not write its values, and the
 * rows would have been written.
 */
function renderShown({ read, relation: { columns } }: MutateAction, { ref }: Scope): readonly string[] {
  const render = (name: string, key: string): string => {
    const type = columns.get(name)?.nominalType;
    return `${ref}.${quoteIdentifier(name)}::${type ?? 'text'} AS ${quoteIdentifier(key)}`;
  };
  return read.select.flatMap((item) => {
    if (item.kind === 'column') return [render(item.field.column, item.key)];
    return item.kind === 'all' ? Array.from(columns.keys(), (name) => render(name, name)) : [];
  });
}

const JSON_TYPES: ReadonlySet<string> = new Set(['json', 'jsonb']);

/** Types without a length, whose explicit cast reads a text as `json_to_record` does. */
const DIRECT_TYPES: ReadonlySet<string> = new Set([
  ...JSON_TYPES,
  'character varying',
  'double precision',
  'timestamp with time zone',
  'timestamp without time zone',
  ...'text uuid date boolean integer bigint smallint numeric real'.split(' '),
]);

/** Whether values of the column can be written directly. */
export function isDirect({ type }: Column): boolean {
  return DIRECT_TYPES.has(type);
}

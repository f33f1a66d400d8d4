// Describes the privilege that the database missed, as in `GRANT … TO`. Contains only objects that occur in both the
// request and PostgreSQL's message, and columns that occur in the request.
import { findRelation, type Relation, type SchemaCache } from '../../catalog/schema-cache.ts';
import { type VisibleNames, visibleColumns } from '../../catalog/visible-names.ts';
import type { HttpRequest } from '../../contract/http.ts';
import { type QualifiedName, spellIdentifier } from '../../contract/identifiers.ts';
import { splitQuery } from '../../request/query/split-query.ts';
import { parseTarget } from '../../request/target.ts';
import type { MutateAction, PlannedRows } from '../../plan/actions/action-plan.ts';
import type { DeniedCall } from '../../plan/check-target.ts';
import { filteredColumns } from '../../plan/levels/row-source.ts';

export interface RefusedObjects {
  readonly request: Pick<HttpRequest, 'path' | 'rawQuery'>;
  readonly cache: SchemaCache;
  /** Returns the names that the role may use. */
  readonly findVisible: () => Promise<VisibleNames>;
}

/** `everyColumn`: the request reads all columns, and the role may read only some. */
export type MissingPrivilege =
  | { readonly kind: 'grant'; readonly privilege: string }
  | { readonly kind: 'everyColumn'; readonly readable: readonly string[] };

const DENIAL =
  /^permission denied for (?:(table|view|materialized view|foreign table)|(function)|(schema)) (?<name>[^\0]+)$/u;

/** @returns undefined for any object that the request does not name, because a function or trigger may have used it */
export async function describePrivilege(
  message: string,
  action: PlannedRows | DeniedCall,
  { request, cache, findVisible }: RefusedObjects,
): Promise<MissingPrivilege | undefined> {
  const [, relation, routine, schema, name = ''] = DENIAL.exec(message) ?? [];
  const target = parseTarget(request.path);
  if (!target.ok || target.value.kind === 'root') return undefined;
  if (schema !== undefined)
    return name === action.schema ? grant(`USAGE ON SCHEMA ${spellIdentifier(name)}`) : undefined;
  const denied = { schema: action.schema, name };
  if (name !== target.value.name) return undefined;
  if (routine !== undefined) return action.kind === 'call' ? grant(`EXECUTE ON FUNCTION ${spell(denied)}`) : undefined;
  const found = relation === undefined || action.kind === 'call' ? undefined : findRelation(cache, denied);
  if (found === undefined || action.kind === 'call') return undefined;
  const access = columnAccess(found, await findVisible());
  if (action.kind === 'mutate') return grant(on(listPrivileges(action, access), denied));
  const named = columnsOf(request.rawQuery);
  const needed = access?.hidden.filter((column) => named.includes(column));
  if (access !== undefined && needed?.length === 0) return { kind: 'everyColumn', readable: access.readable };
  return grant(on([withColumns('SELECT', needed ?? [])], denied));
}

function on(privileges: readonly string[], relation: QualifiedName): string {
  return `${privileges.join(', ')} ON ${spell(relation)}`;
}

function spell({ schema, name }: QualifiedName): string {
  return `${spellIdentifier(schema)}.${spellIdentifier(name)}`;
}

interface ColumnAccess {
  readonly readable: readonly string[];
  readonly hidden: readonly string[];
}

/** @returns undefined unless the role may read some columns and not others */
function columnAccess({ name, columns }: Relation, visible: VisibleNames): ColumnAccess | undefined {
  const readable = visibleColumns(visible, name);
  if (readable === undefined || readable === 'all' || readable.size === 0) return undefined;
  return { readable: [...readable], hidden: [...columns.keys()].filter((column) => !readable.has(column)) };
}

function grant(privilege: string): MissingPrivilege {
  return { kind: 'grant', privilege };
}

/** Names in the query string: filtered, ordered and selected columns, and others, which are no columns. */
function columnsOf(rawQuery: string): readonly string[] {
  return splitQuery(rawQuery).flatMap(({ name, value }) =>
    name === 'select' || name === 'order' ? (value ?? '').split(/[^\p{L}\p{N}_$]+/u) : [name],
  );
}

/** Lists every privilege that the statement needs, because PostgreSQL does not say which one is missing. */
function listPrivileges(action: MutateAction, access: ColumnAccess | undefined): readonly string[] {
  const { where, returning, conflict, mutation } = action;
  const returned = returning?.kind === 'columns' ? returning.names : [];
  // The columns of expressions are not known.
  const target =
    conflict === undefined || conflict.target === 'any'
      ? []
      : conflict.target.keys.flatMap((key) => (key.kind === 'column' ? [key.name] : []));
  const changed = action.payload?.columns.filter(({ operation }) => operation !== undefined) ?? [];
  const isReading = where.length > 0 || returning !== undefined || conflict !== undefined || changed.length > 0;
  const read = new Set([
    ...filteredColumns(where),
    ...returned,
    ...target,
    ...(action.changes?.kind === 'locked' ? action.changes.key : []),
    ...changed.map(({ column }) => column.name),
  ]);
  const written = action.payload?.columns.map(({ column }) => column.name) ?? [];
  const hidden = access?.hidden.filter((column) => returning?.kind === 'row' || read.has(column));
  return [
    ...(isReading && hidden?.length !== 0 ? [withColumns('SELECT', hidden ?? [])] : []),
    withColumns(WRITES[mutation], written),
    ...(conflict?.resolution === 'merge' ? [withColumns('UPDATE', written)] : []),
  ];
}

const WRITES = { insert: 'INSERT', update: 'UPDATE', put: 'INSERT', delete: 'DELETE' } as const;

/** Longer lists are not repeated. */
const MAX_COLUMNS = 10;

function withColumns(privilege: string, columns: readonly string[]): string {
  if (columns.length === 0 || columns.length > MAX_COLUMNS) return privilege;
  return `${privilege} (${columns.map(spellIdentifier).join(', ')})`;
}

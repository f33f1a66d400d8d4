// Decodes the tables and columns that a read depends on, and decides whether it can be watched (`beyond.md` §3.1b).
import { displayName, type QualifiedName } from '../../../contract/identifiers.ts';
import { renderDefinition } from '../log/log-changes.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import type { KeyedRead } from '../plan/plan-live.ts';
import { type Dependence, DEPENDS_ON_ANY } from './interests.ts';

export interface LiveSources {
  /** Oids of the tables whose rows the read returns or uses. */
  readonly tables: ReadonlySet<number>;
  /** Oids of all relations, among them views and partitioned tables. */
  readonly relations: ReadonlySet<number>;
  /** Oids of the tables that decide which rows are visible. */
  readonly policyTables: ReadonlySet<number>;
  /** Whether the read may depend on any table, because it calls a function whose tables are unknown. */
  readonly isOpaque: boolean;
  /** By the oid of the table, as `renderDefinition` renders them. */
  readonly definitions: ReadonlyMap<number, string>;
  /** Whether the log contains the keys of all tables. */
  readonly hasKeys: boolean;
  /** Columns of the tables. */
  readonly columns: readonly SourceColumn[];
}

interface SourceColumn {
  readonly name: string;
  /** Oid; undefined if the column is generated, and therefore not in the log. */
  readonly type: number | undefined;
  /** Undefined for domains. */
  readonly kind: string | undefined;
  /** Whether equal values may have different texts. */
  readonly isLoose: boolean;
}

interface Source {
  readonly oid: number;
  readonly name: string;
  readonly kind: string;
  readonly isPolicy: boolean;
  readonly isPublished: boolean;
  readonly identity: string;
  readonly columns: readonly SourceColumn[];
}

/**
 * @param rows of `LIVE_SOURCES_SQL`
 * @param requested names from the request, which errors may contain
 */
export function decodeLiveSources(
  rows: readonly (readonly (string | null)[])[],
  requested: readonly QualifiedName[],
): Result<LiveSources, ApiError> {
  const sources = rows.map(decodeSource);
  const own = sources.filter(({ isPolicy }) => !isPolicy);
  const unwatched = own.find((source) => isStored(source) && !source.isPublished);
  if (unwatched !== undefined) return fail({ kind: 'notWatchable', details: explain(unwatched, requested) });
  const tables = own.filter(isStored);
  return ok({
    tables: new Set(tables.map(({ oid }) => oid)),
    relations: new Set(sources.map(({ oid }) => oid)),
    policyTables: new Set(sources.filter(({ isPolicy }) => isPolicy).map(({ oid }) => oid)),
    isOpaque: own.some(({ kind }) => kind === 'F'),
    definitions: new Map(tables.map((table) => [table.oid, defineTable(table)])),
    hasKeys: tables.every(({ identity }) => identity === 'd' || identity === 'f'),
    columns: own.flatMap(({ columns }) => columns),
  });
}

/**
 * Returns which changes may concern a read.
 *
 * @param keyed undefined if all rows are read again after each change
 */
export function findDependence(sources: LiveSources, keyed: KeyedRead | undefined): Dependence {
  const { isOpaque, policyTables, tables } = sources;
  if (isOpaque) return DEPENDS_ON_ANY;
  if (keyed?.equality === undefined) return { relations: new Set([...policyTables, ...tables]), rows: undefined };
  const key = keyed.key.map(({ name }) => name);
  return { relations: policyTables, rows: { tables, key, equality: keyed.equality } };
}

/** Whether a read that was planned with these sources may depend on any of the relations; undefined: not planned yet. */
export function dependsOn(sources: LiveSources | undefined, oids: ReadonlySet<number>): boolean {
  return sources === undefined || [...oids].some((oid) => sources.relations.has(oid));
}

/** Whether a read was planned for these definitions, as far as it depends on their tables. */
export function fits(sources: LiveSources | undefined, described: ReadonlyMap<number, string>): boolean {
  return [...described].every(
    ([oid, definition]) => sources !== undefined && (sources.definitions.get(oid) ?? definition) === definition,
  );
}

/** Returns how to read rows by their keys; undefined if the log lacks the keys, or the tables differ from the plan. */
export function findKeyed({ hasKeys, columns }: LiveSources, planned: KeyedRead | undefined): KeyedRead | undefined {
  if (planned === undefined || !hasKeys) return undefined;
  const { key, equality } = planned;
  const isAsPlanned = (name: string, kind: string): boolean =>
    columns.every((column) => column.name !== name || column.kind === undefined || column.kind === kind);
  if (!key.every(({ name, kind }) => isAsPlanned(name, kind))) return undefined;
  if (equality === undefined) return planned;
  const isLoose = columns.some((column) => column.name === equality.column && column.isLoose);
  return !isLoose && isAsPlanned(equality.column, equality.kind) ? planned : { ...planned, equality: undefined };
}

function decodeSource([oid, name, kind, isPolicy, isPublished, identity, columns]: readonly (string | null)[]): Source {
  const decoded: unknown = JSON.parse(columns ?? '[]');
  return {
    oid: Number(oid),
    name: name ?? '',
    kind: kind ?? '',
    isPolicy: isPolicy === 'true',
    isPublished: isPublished === 't',
    identity: identity ?? '',
    columns: Array.isArray(decoded) ? decoded.map(decodeColumn) : [],
  };
}

function decodeColumn(column: readonly unknown[]): SourceColumn {
  const [name, type, kind, isLoose] = column;
  return {
    name: String(name),
    type: typeof type === 'number' ? type : undefined,
    kind: typeof kind === 'string' ? kind : undefined,
    isLoose: isLoose === true,
  };
}

function defineTable({ identity, columns }: Source): string {
  const logged = columns.flatMap(({ name, type }) => (type === undefined ? [] : [{ name, type }]));
  return renderDefinition(identity, logged);
}

/** Partitioned tables and views have no rows of their own. */
function isStored({ kind }: Source): boolean {
  return kind === 'r' || kind === 'm' || kind === 'f';
}

function explain({ name, kind }: Source, requested: readonly QualifiedName[]): string {
  const isRequested = requested.some((relation) => displayName(relation) === name);
  const subject = isRequested ? name : 'A relation that it depends on';
  if (kind === 'm') return `${subject} is a materialized view`;
  return kind === 'f' ? `${subject} is a foreign table` : `${subject} is not published, or only in part`;
}

// Decodes what the rows of a read depend on, and decides whether they can be watched (`beyond.md` §3.1b).
import { displayName, type QualifiedName } from '../contract/identifiers.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { KeyedRead } from '../plan/actions/plan-live.ts';
import { type Dependence, DEPENDS_ON_ANY } from './interests.ts';

export interface LiveSources {
  /** Oids of the tables whose rows the read returns or uses. */
  readonly tables: ReadonlySet<number>;
  /** Oids of all relations, among them views and partitioned tables. */
  readonly relations: ReadonlySet<number>;
  /** Oids of the tables that decide which rows are visible. */
  readonly policyTables: ReadonlySet<number>;
  /** Whether any table may matter, because a function does not say what it reads. */
  readonly isOpaque: boolean;
  /** Whether the log contains the keys of all tables. */
  readonly hasKeys: boolean;
  /** Columns whose equality does not mean equal text. */
  readonly looseColumns: ReadonlySet<string>;
}

interface Source {
  readonly oid: number;
  readonly name: string;
  readonly kind: string;
  readonly isPolicy: boolean;
  readonly isPublished: boolean;
  readonly hasKeys: boolean;
  readonly looseColumns: readonly string[];
}

/**
 * @param rows of `LIVE_SOURCES_SQL`
 * @param requested names that the request contains, and that errors may therefore contain
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
    hasKeys: tables.every(({ hasKeys }) => hasKeys),
    looseColumns: new Set(own.flatMap(({ looseColumns }) => looseColumns)),
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

function decodeSource([oid, name, kind, isPolicy, isPublished, hasKeys, columns]: readonly (string | null)[]): Source {
  const looseColumns: unknown = JSON.parse(columns ?? '[]');
  return {
    oid: Number(oid),
    name: name ?? '',
    kind: kind ?? '',
    isPolicy: isPolicy === 'true',
    isPublished: isPublished === 't',
    hasKeys: hasKeys === 'true',
    looseColumns: Array.isArray(looseColumns) ? looseColumns.map(String) : [],
  };
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

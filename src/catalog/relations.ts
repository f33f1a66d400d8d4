// Decodes rows of the statement `relations`, with their columns, keys and view columns, into the relations of the
// cache.
import { compareCodePoints } from '../util/code-points.ts';
import { type CatalogRow, flagAt, optionalTextAt, textAt } from './catalog-rows.ts';
import { NO_COLUMNS, type RelationColumns } from './columns.ts';
import type { IndexesByTable, KeysByTable } from './keys.ts';
import type { Column, Distribution, Relation, RowNames, ShardFacts, UniqueIndex } from './schema-cache.ts';
import type { ExposedColumns } from './view-columns.ts';

/** A relation together with its identifiers in PostgreSQL's catalogs, for the inference of relationships. */
export interface CatalogRelation {
  readonly oid: string;
  readonly relation: Relation;
  readonly columnNames: RelationColumns['names'];
  /** Undefined unless the relation is a view. */
  readonly exposedColumns: ExposedColumns | undefined;
}

export interface RelationSources {
  readonly columns: ReadonlyMap<string, RelationColumns>;
  readonly keys: KeysByTable;
  readonly indexes: IndexesByTable;
  readonly views: ReadonlyMap<string, ExposedColumns>;
  readonly rowTypes: ReadonlyMap<string, RowNames>;
  readonly distributions: ReadonlyMap<string, Distribution>;
}

const NO_INDEXES: readonly UniqueIndex[] = [];
const NO_NAMES: ReadonlySet<string> = new Set();

const KIND_OF_RELKIND: Readonly<Record<string, Relation['kind']>> = {
  r: 'table',
  p: 'partitionedTable',
  v: 'view',
  m: 'materializedView',
  f: 'foreignTable',
};

export function isView(relation: Relation): boolean {
  return relation.kind === 'view' || relation.kind === 'materializedView';
}

export function decodeRelation(row: CatalogRow, sources: RelationSources): CatalogRelation {
  const oid = textAt(row, 0);
  const kind = KIND_OF_RELKIND[textAt(row, 3)];
  if (kind === undefined) throw new Error(`unexpected relkind ${textAt(row, 3)}`);
  const columns = sources.columns.get(oid) ?? NO_COLUMNS;
  const exposedColumns = sources.views.get(oid);
  const keyColumns =
    exposedColumns === undefined ? (sources.keys.get(oid)?.primary ?? []) : inferViewKey(exposedColumns, sources.keys);
  const isPlain =
    (kind === 'table' || kind === 'partitionedTable' || kind === 'materializedView') &&
    !flagAt(row, 6) &&
    !flagAt(row, 13) &&
    [...columns.byName.values()].every(hasOwnType);
  const primaryKey = keyColumns.flatMap((column) => columns.names[column] ?? []);
  return {
    oid,
    relation: {
      name: { schema: textAt(row, 1), name: textAt(row, 2) },
      kind,
      comment: optionalTextAt(row, 4),
      isPlain,
      plainWrites: isPlain ? decodePlainWrites(row) : 'none',
      isSmall: flagAt(row, 9),
      hasFewOrLongRows: flagAt(row, 10),
      hasVirtualColumns: flagAt(row, 11),
      hasInheritors: flagAt(row, 12),
      ...decodeCommands(kind, Number(optionalTextAt(row, 5))),
      primaryKey: exposedColumns === undefined ? primaryKey.sort(compareCodePoints) : primaryKey,
      uniqueIndexes: sources.indexes.get(oid) ?? NO_INDEXES,
      columns: columns.byName,
      computedColumns: sources.rowTypes.get(oid)?.computedColumns ?? NO_NAMES,
      distribution: sources.distributions.get(oid),
    },
    columnNames: columns.names,
    exposedColumns,
  };
}

/** @param rows those of `SHARDS_SQL` @returns by the oid of the table */
export function decodeDistributions(rows: readonly CatalogRow[]): ReadonlyMap<string, Distribution> {
  const distributions = new Map<string, Distribution>();
  for (const row of rows) {
    const oid = optionalTextAt(row, 0);
    if (oid === undefined) continue;
    const sharded = { kind: 'sharded', column: optionalTextAt(row, 1), group: textAt(row, 2) } as const;
    distributions.set(oid, flagAt(row, 3) ? { kind: 'copied' } : sharded);
  }
  return distributions;
}

/** @param rows those of `SHARDS_SQL` */
export function decodeShardFacts(rows: readonly CatalogRow[]): ShardFacts {
  const facts = new Set(rows.flatMap((row) => (optionalTextAt(row, 0) === undefined ? [textAt(row, 1)] : [])));
  return { settings: facts, isIso: facts.has('DateStyle') };
}

function decodePlainWrites(row: CatalogRow): Relation['plainWrites'] {
  if (!flagAt(row, 7)) return 'none';
  return flagAt(row, 8) ? 'all' : 'inserts';
}

/** PostgreSQL prints types of other schemas with the schema's name. */
function hasOwnType({ nominalType }: Column): boolean {
  return !nominalType.includes('.');
}

/** Bits of `pg_relation_is_updatable`: https://www.postgresql.org/docs/current/functions-info.html */
const COMMAND_BIT = { update: 4, insert: 8, delete: 16 };

type CommandFlags = Pick<Relation, 'isInsertable' | 'isUpdatable' | 'isDeletable'>;

function decodeCommands(kind: Relation['kind'], bits: number): CommandFlags {
  if (kind === 'view' || kind === 'foreignTable') {
    return {
      isInsertable: (bits & COMMAND_BIT.insert) !== 0,
      isUpdatable: (bits & COMMAND_BIT.update) !== 0,
      isDeletable: (bits & COMMAND_BIT.delete) !== 0,
    };
  }
  const isTable = kind !== 'materializedView';
  return { isInsertable: isTable, isUpdatable: isTable, isDeletable: isTable };
}

/** Returns, for each primary key that the view exposes completely, the first view column of each of its columns. */
function inferViewKey(exposedColumns: ExposedColumns, keys: KeysByTable): readonly number[] {
  return [...exposedColumns].flatMap(([table, columns]) => {
    const key = (keys.get(table)?.primary ?? []).map((column) => columns.get(column)?.[0]);
    return key.every((column) => column !== undefined) ? key : [];
  });
}

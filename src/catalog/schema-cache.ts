// The server's knowledge of the database: built once per load, immutable, every lookup O(1).
import type { QualifiedName } from '../contract/identifiers.ts';
import type { IsolationLevel } from '../contract/transaction.ts';

export interface Column {
  readonly name: string;
  readonly comment: string | undefined;
  readonly isNullable: boolean;
  /** Without modifiers; domains over catalog types are resolved: `character varying` (`operating.md` §5.3). */
  readonly type: string;
  /** As declared, with domains and modifiers: `harbor.code`, `numeric(8,2)`. */
  readonly nominalType: string;
  readonly maxLength: number | undefined;
  readonly defaultExpression: string | undefined;
  readonly enumLabels: readonly string[];
  /** GENERATED ALWAYS, as an expression or identity: PostgreSQL rejects values for it. */
  readonly isGenerated: boolean;
  /** Whether the server can write its values as JSON; see `SchemaCache.spelledTypes`. */
  readonly isSpelled: boolean;
}

/** What a unique index compares. Names in an expression are those of its table's columns. */
export type IndexKey =
  | { readonly kind: 'column'; readonly name: string }
  | { readonly kind: 'expression'; readonly text: string };

/** A valid index that is checked at once. */
export interface UniqueIndex {
  readonly name: string;
  /** In index order. */
  readonly keys: readonly IndexKey[];
  /** The condition of a partial index. */
  readonly predicate: string | undefined;
  /** Whether nulls conflict with each other (`NULLS NOT DISTINCT`). */
  readonly hasEqualNulls: boolean;
}

/**
 * How Citus spreads the rows of a table: over shards by a column, on one shard if there is no column, or as a copy on
 * each node. Shards of one group with the same value are on the same node.
 */
export type Distribution =
  | { readonly kind: 'sharded'; readonly column: string | undefined; readonly group: string }
  | { readonly kind: 'copied' };

export interface ShardFacts {
  /** Settings of requests that policies, functions, views or defaults of the database name: `request.jwt.claims`. */
  readonly settings: ReadonlySet<string>;
  /** Whether dates have the style ISO in the sessions of the server. */
  readonly isIso: boolean;
}

export interface Relation {
  readonly name: QualifiedName;
  readonly kind: 'table' | 'partitionedTable' | 'view' | 'materializedView' | 'foreignTable';
  readonly comment: string | undefined;
  /**
   * Whether reading it runs no user-defined code: it is not a view, includes no foreign table (even as a partition or
   * through inheritance), has no row-level security, and uses only PostgreSQL's own types, without user-defined
   * operators or functions for them.
   */
  readonly isPlain: boolean;
  /** Writes that run no user-defined code either. */
  readonly plainWrites: 'none' | 'inserts' | 'all';
  /** Whether it was small when PostgreSQL last updated its statistics; false if there are none. */
  readonly isSmall: boolean;
  /** Whether it had few rows, or long values on average, at that time. */
  readonly hasFewOrLongRows: boolean;
  /** Some of its values are computed on read. */
  readonly hasVirtualColumns: boolean;
  /** Reading it also returns rows of inheriting tables, to which its keys do not apply. Partitions do not count. */
  readonly hasInheritors: boolean;
  readonly isInsertable: boolean;
  readonly isUpdatable: boolean;
  readonly isDeletable: boolean;
  /** For tables, sorted by name; for views, the columns that expose keys of base tables (`operating.md` §5.5). */
  readonly primaryKey: readonly string[];
  readonly uniqueIndexes: readonly UniqueIndex[];
  /** In attribute order. */
  readonly columns: ReadonlyMap<string, Column>;
  /** Functions of the search path whose only argument may be a row of the relation: computed columns and relationships. */
  readonly computedColumns: ReadonlySet<string>;
  /** Undefined for a table of one server. */
  readonly distribution: Distribution | undefined;
}

/** Names that PostgreSQL finds in a row. */
export interface RowNames {
  readonly columns: ReadonlySet<string>;
  readonly computedColumns: Relation['computedColumns'];
}

interface RelationshipEnds {
  readonly origin: QualifiedName;
  readonly target: QualifiedName;
  readonly isSelf: boolean;
  readonly originIsView: boolean;
  readonly targetIsView: boolean;
}

export type ColumnPair = readonly [left: string, right: string];

export interface ForeignKeyRelationship extends RelationshipEnds {
  readonly kind: 'manyToOne' | 'oneToMany' | 'oneToOne';
  readonly constraint: string;
  /** Pairs (origin column, target column) in key order. */
  readonly columns: readonly ColumnPair[];
  /** For one-to-one: whether this side's table is the referenced one. */
  readonly isParent: boolean;
}

export interface ManyToManyRelationship extends RelationshipEnds {
  readonly kind: 'manyToMany';
  readonly junction: QualifiedName;
  readonly originConstraint: string;
  readonly targetConstraint: string;
  /** Pairs (origin column, junction column). */
  readonly originColumns: readonly ColumnPair[];
  /** Pairs (junction column, target column). */
  readonly targetColumns: readonly ColumnPair[];
}

export interface ComputedRelationship extends RelationshipEnds {
  readonly kind: 'computed';
  /** Oid of the function. */
  readonly oid: string;
  readonly routine: QualifiedName;
  readonly isToOne: boolean;
  readonly rowType: RowType;
  /** Those of the target. */
  readonly computedColumns: Relation['computedColumns'];
}

export type Relationship = ForeignKeyRelationship | ManyToManyRelationship | ComputedRelationship;

export interface RoutineParameter {
  /** `''` if unnamed. */
  readonly name: string;
  readonly type: string;
  /** `type`, except that `character` and `bit` (and arrays of them) have no length (`operating.md` §5.7). */
  readonly castType: string;
  readonly isRequired: boolean;
  readonly isVariadic: boolean;
}

/** A relation or composite type whose rows a function returns. */
export interface RowType extends QualifiedName {
  /** In pg_class, which lists composite types too. */
  readonly oid: string;
}

/**
 * `scalar`: a bare value, or a `record`; `composite`: a row type or OUT/TABLE parameters; `void`: nothing. `isRecord`
 * marks a row without declared columns, which only its result reveals.
 */
export type RoutineResult =
  | { readonly kind: 'void' }
  | { readonly kind: 'scalar'; readonly isSet: boolean; readonly type: string; readonly isRecord: boolean }
  | {
      readonly kind: 'composite';
      readonly isSet: boolean;
      readonly type: string;
      /** The relation or composite type of the returned row; undefined for OUT/TABLE parameters. */
      readonly rowType: RowType | undefined;
      /** Names and types of RETURNS TABLE or OUT columns; empty if a row type is returned. */
      readonly outColumns: readonly (readonly [name: string, type: string])[];
    };

export interface Routine {
  /** Identifies the function in privilege checks. */
  readonly oid: string;
  readonly name: QualifiedName;
  readonly comment: string | undefined;
  /** Input parameters in order (IN, INOUT, VARIADIC). */
  readonly parameters: readonly RoutineParameter[];
  readonly result: RoutineResult;
  readonly volatility: 'volatile' | 'stable' | 'immutable';
  readonly isolation: IsolationLevel | undefined;
  /** All `SET` clauses of the function; a request applies only the hoisted ones. */
  readonly settings: readonly (readonly [name: string, value: string])[];
}

/** An implicit cast from or to a domain by a function (`writing.md` §11). */
export interface Representation {
  readonly source: string;
  readonly target: string;
  readonly routine: QualifiedName;
}

/** A custom media type handler (`writing.md` §15.5). */
export interface MediaHandler {
  /** The relation or function it belongs to; undefined if it applies to any element. */
  readonly element: QualifiedName | undefined;
  /** `type/subtype` in lower case; a handler for any type has `*` on both sides of the slash. */
  readonly mediaType: string;
  readonly kind: 'aggregate' | 'function';
  readonly routine: QualifiedName;
  /** The body is a bytea and is sent as raw bytes. */
  readonly isBinary: boolean;
}

export interface ConstraintComment {
  /** The first line of the comment. */
  readonly message: string;
  /** The exposed relations that contain the table's rows: the table, those it inherits from, and views of them. */
  readonly relations: readonly ConstrainedRelation[];
}

export interface ConstrainedRelation {
  readonly name: QualifiedName;
  readonly isView: boolean;
  /** The columns of the constraint that the relation shows, under its names and in the order of the constraint. */
  readonly columns: readonly string[];
}

/** By `constraintKey` in `catalog/constraint-comments.ts`. Constraints of tables that no exposed relation shows are omitted. */
export type ConstraintComments = ReadonlyMap<string, ConstraintComment>;

/** Maps schema → name → value. */
export type BySchema<T> = ReadonlyMap<string, ReadonlyMap<string, T>>;

export interface DistanceOperator {
  readonly schema: string;
  /** What both sides are, without modifiers and domains. */
  readonly type: string;
}

export interface SchemaCache {
  /** Relations of the exposed schemas, without partitions. */
  readonly relations: BySchema<Relation>;
  /** Keyed by origin relation; sorted in candidate order (`reading.md` §11.1). */
  readonly relationships: BySchema<readonly Relationship[]>;
  /** Overloads by name, ordered by number of parameters. */
  readonly routines: BySchema<readonly Routine[]>;
  /**
   * By oid of the row type: those that functions return without being exposed relations. Exposed relations with computed
   * columns are listed without their columns.
   */
  readonly rowTypes: ReadonlyMap<string, RowNames>;
  /** Keyed by source type (as printed in `nominalType`), then by target type. */
  readonly representations: ReadonlyMap<string, ReadonlyMap<string, Representation>>;
  /** Custom handlers only; content negotiation adds the built-in ones. */
  readonly mediaHandlers: readonly MediaHandler[];
  readonly constraintComments: ConstraintComments;
  readonly schemaComments: ReadonlyMap<string, string>;
  /**
   * The database encoding is UTF-8, like responses. Texts in another encoding are converted when sent, which may fail.
   */
  readonly isUtf8: boolean;
  /** The operators that measure distances (`<->`), by name and by the type of both sides, which may be a domain. */
  readonly distances: ReadonlyMap<string, ReadonlyMap<string, DistanceOperator>>;
  /** Whether some schema has the function that makes GeoJSON (PostGIS). */
  readonly hasGeoJson: boolean;
  /** Whether RETURNING returns the overwritten row too, since PostgreSQL 18. */
  readonly returnsOldRows: boolean;
  /** Types whose values are printed as names of other objects, exposed or not: `regclass` and types derived from it. */
  readonly nameTypes: ReadonlySet<string>;
  /**
   * OIDs of the types whose values the server can write as JSON, given PostgreSQL's text of them. Domains count as their
   * base types.
   */
  readonly spelledTypes: ReadonlySet<number>;
  /** Undefined if the rows of no table, exposed or not, are spread over nodes. */
  readonly shards: ShardFacts | undefined;
}

export function findRelation(cache: SchemaCache, name: QualifiedName): Relation | undefined {
  return cache.relations.get(name.schema)?.get(name.name);
}

export function findRelationships(cache: SchemaCache, origin: QualifiedName): readonly Relationship[] {
  return cache.relationships.get(origin.schema)?.get(origin.name) ?? [];
}

export function findRoutines(cache: SchemaCache, name: QualifiedName): readonly Routine[] {
  return cache.routines.get(name.schema)?.get(name.name) ?? [];
}

// What the server knows of the database: built once per load, immutable, every lookup O(1).
import type { QualifiedName } from '../contract/identifiers.ts';
import type { IsolationLevel } from '../contract/transaction.ts';

export interface Column {
  readonly name: string;
  readonly comment: string | undefined;
  readonly isNullable: boolean;
  /** Domains over catalog types resolved, without modifiers: `character varying` (`operating.md` §5.3). */
  readonly type: string;
  /** As declared, domains kept, with modifiers: `harbor.code`, `numeric(8,2)`. */
  readonly nominalType: string;
  readonly maxLength: number | undefined;
  readonly defaultExpression: string | undefined;
  readonly enumLabels: readonly string[];
  /** GENERATED ALWAYS, by an expression or as identity: PostgreSQL takes no value for it. */
  readonly isGenerated: boolean;
}

export interface Relation {
  readonly name: QualifiedName;
  readonly kind: 'table' | 'partitionedTable' | 'view' | 'materializedView' | 'foreignTable';
  readonly comment: string | undefined;
  /**
   * Reading it runs no code of the database's users: no view, no foreign table (as a partition or by inheritance either), no
   * row-level security, no types but PostgreSQL's own, and no operators or functions of others for those.
   */
  readonly isPlain: boolean;
  /** Which writes run no code of the database's users either. */
  readonly plainWrites: 'none' | 'inserts' | 'all';
  /** It took little room when PostgreSQL last counted; false where it does not count, or has not yet. */
  readonly isSmall: boolean;
  /** Some of its values are computed when they are read. */
  readonly hasVirtualColumns: boolean;
  /** Reading it gives the rows of other tables too, for which its keys do not hold; partitions are no such tables. */
  readonly hasInheritors: boolean;
  readonly isInsertable: boolean;
  readonly isUpdatable: boolean;
  readonly isDeletable: boolean;
  /** Tables: sorted by name. Views: the columns through which base-table keys show (`operating.md` §5.5). */
  readonly primaryKey: readonly string[];
  /** In attribute order. */
  readonly columns: ReadonlyMap<string, Column>;
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
  /** For one-to-one: true on the side whose table is referenced. */
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
  /** Of the function. */
  readonly oid: string;
  readonly routine: QualifiedName;
  readonly isToOne: boolean;
}

export type Relationship = ForeignKeyRelationship | ManyToManyRelationship | ComputedRelationship;

export interface RoutineParameter {
  /** `''` when unnamed. */
  readonly name: string;
  readonly type: string;
  /** `type`, but `character`/`bit` (and arrays of them) without length (`operating.md` §5.7). */
  readonly castType: string;
  readonly isRequired: boolean;
  readonly isVariadic: boolean;
}

/**
 * `scalar`: the bare value (also `record`); `composite`: a row type or OUT/TABLE parameters; `void`: nothing.
 * `record` marks an undeclared row (no OUT columns), whose columns only the call knows.
 */
export type RoutineResult =
  | { readonly kind: 'void' }
  | { readonly kind: 'scalar'; readonly isSet: boolean; readonly type: string; readonly isRecord: boolean }
  | {
      readonly kind: 'composite';
      readonly isSet: boolean;
      readonly type: string;
      /** The relation or composite type whose row is returned; undefined for OUT/TABLE parameters. */
      readonly rowType: QualifiedName | undefined;
      /** RETURNS TABLE / OUT columns by name with their types; empty when a row type is returned. */
      readonly outColumns: readonly (readonly [name: string, type: string])[];
    };

export interface Routine {
  /** By which privileges are asked for. */
  readonly oid: string;
  readonly name: QualifiedName;
  readonly comment: string | undefined;
  /** Input parameters in order (IN, INOUT, VARIADIC). */
  readonly parameters: readonly RoutineParameter[];
  readonly result: RoutineResult;
  readonly volatility: 'volatile' | 'stable' | 'immutable';
  readonly isolation: IsolationLevel | undefined;
  /** All `SET` clauses of the function; the request applies those that are hoisted. */
  readonly settings: readonly (readonly [name: string, value: string])[];
}

/** An implicit domain cast by function (`writing.md` §11). */
export interface Representation {
  readonly source: string;
  readonly target: string;
  readonly routine: QualifiedName;
}

/** A custom media type handler (`writing.md` §15.5). */
export interface MediaHandler {
  /** The relation or function it belongs to; undefined for any element. */
  readonly element: QualifiedName | undefined;
  /** Lower-cased `type/subtype`, or `*`+`/*` for the any-handler. */
  readonly mediaType: string;
  readonly kind: 'aggregate' | 'function';
  readonly routine: QualifiedName;
  /** The body is a bytea, to be sent as raw bytes. */
  readonly isBinary: boolean;
}

/** Two-level map: schema → name. */
export type BySchema<T> = ReadonlyMap<string, ReadonlyMap<string, T>>;

export interface SchemaCache {
  /** Relations of the exposed schemas (partitions are left out). */
  readonly relations: BySchema<Relation>;
  /** By origin relation; sorted as `reading.md` §11.1 orders candidates. */
  readonly relationships: BySchema<readonly Relationship[]>;
  /** Overloads by name, ordered by number of parameters. */
  readonly routines: BySchema<readonly Routine[]>;
  /** By source type (as `nominalType` prints it), then target type. */
  readonly representations: ReadonlyMap<string, ReadonlyMap<string, Representation>>;
  /** Custom handlers only; the built-in ones belong to negotiation. */
  readonly mediaHandlers: readonly MediaHandler[];
  /** Comments of the exposed schemas. */
  readonly schemaComments: ReadonlyMap<string, string>;
  /** Texts are in the encoding of the answers. Those in another one are converted as they are sent, which may fail. */
  readonly isUtf8: boolean;
  /** Types whose values are printed as names of other objects, served or not: `regclass`, and what is made of it. */
  readonly nameTypes: ReadonlySet<string>;
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

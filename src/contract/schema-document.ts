// Describes a schema for programs that present it to people: served at `/` as `application/vnd.svc.schema+json` and
// read by the explorer. It shows only what the requesting role may see and use.
import type { ExtensionName } from './extensions.ts';

export interface SchemaDocument {
  readonly product: { readonly name: string; readonly version: string };
  /** `svc` or `postgrest`; determines the prefixes of error codes and media types. */
  readonly dialect: string;
  /** `application/vnd.<mediaVendor>.plan+json` */
  readonly mediaVendor: string;
  /** The active role. */
  readonly role: string;
  /** The schema that this document describes. */
  readonly schema: string;
  /** `db-schemas`, the default one first. */
  readonly schemas: readonly string[];
  readonly comment?: string | undefined;
  readonly features: SchemaFeatures;
  readonly relations: readonly DescribedRelation[];
  readonly functions: readonly DescribedFunction[];
}

export interface SchemaFeatures {
  readonly aggregates: boolean;
  readonly plans: boolean;
  /** `Prefer: tx=rollback` is honoured. */
  readonly rollback: boolean;
  readonly maxRows?: number | undefined;
  /** The enabled extensions of the API; omitted if there are none. */
  readonly extensions?: readonly ExtensionName[] | undefined;
  /** Reads can be watched; omitted if they cannot. */
  readonly live?: true | undefined;
  /** The server has a SQL console; omitted elsewhere than under `rowhouse dev`. */
  readonly console?: true | undefined;
}

export interface DescribedRelation {
  readonly name: string;
  readonly kind: 'table' | 'view' | 'materializedView' | 'foreignTable';
  readonly comment?: string | undefined;
  /** Operations that the relation supports and the role may perform. */
  readonly may: {
    readonly select: boolean;
    readonly insert: boolean;
    readonly update: boolean;
    readonly delete: boolean;
  };
  /** Names of the primary-key columns; empty if there is no primary key. */
  readonly key: readonly string[];
  readonly columns: readonly DescribedColumn[];
  readonly relationships: readonly DescribedRelationship[];
}

/** Determines which operators, inputs and renderings apply. For an array, the category of its elements. */
export type TypeCategory =
  | 'number'
  | 'text'
  | 'boolean'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'interval'
  | 'uuid'
  | 'json'
  | 'enum'
  | 'range'
  | 'binary'
  | 'fullText'
  | 'geometry'
  | 'composite'
  | 'other';

export interface DescribedType {
  /** As PostgreSQL writes it: `numeric(8,2)`, `text[]`. */
  readonly name: string;
  readonly category: TypeCategory;
  readonly isArray: boolean;
  /** Labels of an enum in order; `undefined` for other types. */
  readonly labels?: readonly string[] | undefined;
}

export interface DescribedColumn {
  readonly name: string;
  readonly type: DescribedType;
  readonly comment?: string | undefined;
  readonly isNullable: boolean;
  readonly maxLength?: number | undefined;
  /** SQL text. */
  readonly default?: string | undefined;
  /** The database generates the value and accepts none. */
  readonly isGenerated: boolean;
  /** A function of the row: can be selected, filtered and ordered by, but only by name. */
  readonly isComputed: boolean;
  readonly may: { readonly select: boolean; readonly insert: boolean; readonly update: boolean };
}

export interface DescribedRelationship {
  /**
   * The embed as written in `select`, with a hint if it is ambiguous without one: `streets`,
   * `people!houses_owner_fkey`.
   */
  readonly address: string;
  /** The relation whose rows are embedded, and its schema if that is a different one. */
  readonly target: string;
  readonly schema?: string | undefined;
  /** A to-one embed is an object or null, a to-many embed an array. */
  readonly isToOne: boolean;
  readonly kind: 'manyToOne' | 'oneToMany' | 'oneToOne' | 'manyToMany' | 'computed';
  /** Pairs of columns (of this relation, of the target); empty for manyToMany and computed. */
  readonly columns: readonly (readonly [string, string])[];
  /** The junction table. */
  readonly junction?: string | undefined;
  /** Name of the foreign key or of the function. */
  readonly constraint?: string | undefined;
}

export interface DescribedFunction {
  readonly name: string;
  readonly comment?: string | undefined;
  /** Whether GET may call it. */
  readonly isReadOnly: boolean;
  readonly parameters: readonly DescribedParameter[];
  readonly result: {
    readonly kind: 'void' | 'scalar' | 'row';
    readonly isSet: boolean;
    readonly type?: DescribedType | undefined;
    /** The relation of this schema whose rows the function returns: `select`, embeds and filters work as on it. */
    readonly relation?: string | undefined;
    /** Columns of the rows if they belong to no relation. */
    readonly columns?: readonly { readonly name: string; readonly type: DescribedType }[] | undefined;
  };
}

export interface DescribedParameter {
  /** `''` when unnamed. */
  readonly name: string;
  readonly type: DescribedType;
  readonly isRequired: boolean;
  readonly isVariadic: boolean;
  /** SQL text. */
  readonly default?: string | undefined;
}

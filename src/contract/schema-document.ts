// What a program has to know of a schema to offer it to people: answered at `/` to `application/vnd.svc.schema+json`, read
// by the explorer. Everything is as the asking role may see and use it; absent members are undefined.

export interface SchemaDocument {
  readonly product: { readonly name: string; readonly version: string };
  /** `svc` or `postgrest`: decides the prefixes of error codes and media types. */
  readonly dialect: string;
  /** `application/vnd.<mediaVendor>.plan+json` */
  readonly mediaVendor: string;
  /** The active role. */
  readonly role: string;
  /** The schema described. */
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
}

export interface DescribedRelation {
  readonly name: string;
  readonly kind: 'table' | 'view' | 'materializedView' | 'foreignTable';
  readonly comment?: string | undefined;
  /** What the role may do and the relation can take. */
  readonly may: {
    readonly select: boolean;
    readonly insert: boolean;
    readonly update: boolean;
    readonly delete: boolean;
  };
  /** Names of the columns of the primary key; empty where there is none. */
  readonly key: readonly string[];
  readonly columns: readonly DescribedColumn[];
  readonly relationships: readonly DescribedRelationship[];
}

/** Decides which operators, inputs and renderings fit. Of the element for an array. */
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
  /** In order; of an enum only. */
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
  /** The database makes its value and takes none. */
  readonly isGenerated: boolean;
  /** A function of the row: can be selected, filtered and ordered by when it is named. */
  readonly isComputed: boolean;
  readonly may: { readonly select: boolean; readonly insert: boolean; readonly update: boolean };
}

export interface DescribedRelationship {
  /** As `select` addresses it, with the hint that makes it unambiguous: `streets`, `people!houses_owner_fkey`. */
  readonly address: string;
  /** The relation whose rows are embedded, and its schema where it is another one. */
  readonly target: string;
  readonly schema?: string | undefined;
  /** A to-one embed is an object or null, a to-many embed an array. */
  readonly isToOne: boolean;
  readonly kind: 'manyToOne' | 'oneToMany' | 'oneToOne' | 'manyToMany' | 'computed';
  /** Pairs of columns (of this relation, of the target); empty for manyToMany and computed. */
  readonly columns: readonly (readonly [string, string])[];
  /** The table between both. */
  readonly junction?: string | undefined;
  /** The foreign key, or the function. */
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
    /** The relation of this schema whose rows are given: then `select`, embeds and filters work as there. */
    readonly relation?: string | undefined;
    /** Where rows are of no relation. */
    readonly columns?: readonly { readonly name: string; readonly type: DescribedType }[] | undefined;
  };
}

export interface DescribedParameter {
  /** `''` when unnamed. */
  readonly name: string;
  readonly type: DescribedType;
  readonly isRequired: boolean;
  readonly isVariadic: boolean;
}

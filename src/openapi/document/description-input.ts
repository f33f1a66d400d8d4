// The input of both API descriptions: the schema cache, the schema to describe, and which of its objects are visible.
import type { OpenApiVersion } from '../../config/table/app-config.ts';
import type { Relation, Routine, SchemaCache } from '../../catalog/schema-cache.ts';
import type { Dialect } from '../../contract/dialect.ts';
import type { EnabledExtensions } from '../../contract/extensions.ts';
import type { Product } from '../../contract/product.ts';

/**
 * `all`: `openapi-mode=ignore-privileges`. `some`: only objects that the role may use, with functions and schema
 * comment as seen by its transaction (`operating.md` §12.1).
 */
export type Visibility =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'some';
      /** Letters of the allowed commands (`s`, `i`, `u`, `d`) by relation name. */
      readonly relations: ReadonlyMap<string, string>;
      /** Overloads by name. Type names are printed relative to the search path of the request. */
      readonly routines: ReadonlyMap<string, readonly Routine[]>;
      readonly schemaComment: string | undefined;
    };

export interface ServerAddress {
  /** `server-host`. */
  readonly host: string;
  /** The port that is actually bound. */
  readonly port: number;
  /** `openapi-server-proxy-uri`, checked by `isProxyUri`. */
  readonly proxyUri: string | undefined;
  /** Mount path if the API runs inside another server, which then supplies host and port. */
  readonly basePath?: string | undefined;
}

export interface DescriptionInput {
  readonly version: OpenApiVersion;
  readonly cache: SchemaCache;
  /** The schema described. */
  readonly schema: string;
  /** `db-schemas`. If there are several, clients must name one. */
  readonly exposedSchemas: readonly string[];
  readonly visibility: Visibility;
  readonly dialect: Dialect;
  readonly product: Product;
  readonly server: ServerAddress;
  /** `openapi-external-docs` */
  readonly externalDocs: string | undefined;
  readonly isSecurityActive: boolean;
  readonly extensions: EnabledExtensions;
  /** Whether reads can be answered with live rows. */
  readonly isWatchable: boolean;
}

export function* listRelations({ cache, schema, visibility }: DescriptionInput): Generator<Relation> {
  for (const relation of cache.relations.get(schema)?.values() ?? []) {
    if (visibility.kind === 'all' || visibility.relations.has(relation.name.name)) yield relation;
  }
}

/** Overloads by name. */
export function listRoutines(input: DescriptionInput): ReadonlyMap<string, readonly Routine[]> {
  const { cache, schema, visibility } = input;
  if (visibility.kind === 'some') return visibility.routines;
  return cache.routines.get(schema) ?? new Map<string, readonly Routine[]>();
}

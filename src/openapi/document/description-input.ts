// What both API descriptions are built from: the schema cache, and what of one schema the reader may know of.
import type { Relation, Routine, SchemaCache } from '../../catalog/schema-cache.ts';
import type { Dialect } from '../../contract/dialect.ts';
import type { Product } from '../../contract/product.ts';

/**
 * `all`: `openapi-mode=ignore-privileges`. `some`: what the request's role may touch, with functions and the schema's
 * comment as its transaction sees them (`operating.md` §12.1).
 */
export type Visibility =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'some';
      /** Letters of the commands that it may use, by name: `s`, `i`, `u`, `d`. */
      readonly relations: ReadonlyMap<string, string>;
      /** Overloads by name, type names as the request's search path shows them. */
      readonly routines: ReadonlyMap<string, readonly Routine[]>;
      readonly schemaComment: string | undefined;
    };

export interface ServerAddress {
  /** `server-host`. */
  readonly host: string;
  /** The port really bound. */
  readonly port: number;
  /** `openapi-server-proxy-uri`, valid by `isProxyUri`. */
  readonly proxyUri: string | undefined;
  /** Where the API is mounted in a server that is not our own; that one knows its host and port. */
  readonly basePath?: string | undefined;
}

export interface DescriptionInput {
  readonly cache: SchemaCache;
  /** The schema described. */
  readonly schema: string;
  /** `db-schemas`; with several of them a client has to name the one it means. */
  readonly exposedSchemas: readonly string[];
  readonly visibility: Visibility;
  readonly dialect: Dialect;
  readonly product: Product;
  readonly server: ServerAddress;
  /** `openapi-external-docs` */
  readonly externalDocs: string | undefined;
  readonly isSecurityActive: boolean;
  /** Whether rows can be had one a line. */
  readonly hasLines: boolean;
  /** Whether rows to insert may come one a line. */
  readonly takesLines: boolean;
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

export function findSchemaComment({ cache, schema, visibility }: DescriptionInput): string | undefined {
  return visibility.kind === 'some' ? visibility.schemaComment : cache.schemaComments.get(schema);
}

/** Whether a relation takes any write at all. */
export function isWritable({ isInsertable, isUpdatable, isDeletable }: Relation): boolean {
  return isInsertable || isUpdatable || isDeletable;
}

// Builds the document that the explorer reads, limited to what a role may see and do (`contract/schema-document.ts`).
import type { SchemaCache } from '../../catalog/schema-cache.ts';
import type { AppConfig } from '../../config/table/app-config.ts';
import type { Dialect } from '../../contract/dialect.ts';
import type { Product } from '../../contract/product.ts';
import type { SchemaDocument } from '../../contract/schema-document.ts';
import { LazyList, LazyObject } from '../document/json-document.ts';
import { listVisibleNames } from './document-input.ts';
import { listFunctions } from './functions.ts';
import { listRelations } from './relations.ts';
import type { RoleDetails } from './role-details.ts';

export interface SchemaDocumentSources {
  readonly cache: SchemaCache;
  /** The schema described. */
  readonly schema: string;
  readonly details: RoleDetails;
  readonly config: Pick<
    AppConfig,
    'dbSchemas' | 'dbAggregatesEnabled' | 'dbPlanEnabled' | 'dbTxEnd' | 'dbMaxRows' | 'extensions' | 'livePublication'
  >;
  readonly dialect: Dialect;
  readonly product: Product;
  readonly hasConsole?: true | undefined;
}

/** Lists are created while they are written: pass the document to `renderJsonInSlices` only once. */
export function buildSchemaDocument(sources: SchemaDocumentSources): LazyObject {
  const { cache, schema, details, config, dialect, product, hasConsole } = sources;
  const head: Omit<SchemaDocument, 'relations' | 'functions'> = {
    product: { name: product.name, version: product.version },
    dialect: dialect.name,
    mediaVendor: dialect.mediaVendor,
    role: details.role,
    schema,
    schemas: config.dbSchemas,
    comment: details.schemaComment,
    features: {
      aggregates: config.dbAggregatesEnabled,
      plans: config.dbPlanEnabled,
      rollback: config.dbTxEnd.endsWith('-allow-override'),
      maxRows: config.dbMaxRows,
      extensions: config.extensions.length === 0 ? undefined : config.extensions,
      live: config.extensions.includes('live') && config.livePublication !== undefined ? true : undefined,
      console: hasConsole,
    },
  };
  const input = { cache, schema, details, visible: listVisibleNames(schema, details) };
  return new LazyObject([
    ...Object.entries(head),
    ['relations', new LazyList(listRelations(input))],
    ['functions', new LazyList(listFunctions(input))],
  ]);
}

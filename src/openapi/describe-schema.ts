// DescribeAction × visibility for the role → the bytes of the API description, built once for each view of a cache.
import { runSlicesWithPauses } from '../contract/slices.ts';
import type { SchemaCache } from '../catalog/schema-cache.ts';
import type { AppConfig } from '../config/app-config.ts';
import type { Dialect } from '../contract/dialect.ts';
import type { Product } from '../contract/product.ts';
import type { ScriptResult } from '../contract/transaction.ts';
import type { DescribeAction } from '../plan/actions/action-plan.ts';
import { decodeVisibility } from './decode-visibility.ts';
import type { DescriptionInput } from './description-input.ts';
import { renderJsonInSlices } from './json-document.ts';
import { DocumentCache } from './document-cache.ts';
import { buildOpenApi31 } from './openapi31/build-openapi31.ts';
import { buildSchemaDocument } from './schema-document/build-schema-document.ts';
import { decodeDetails } from './schema-document/role-details.ts';
import { buildSwagger } from './swagger/build-swagger.ts';

export interface DescriptionContext {
  readonly product: Product;
  readonly dialect: Dialect;
  readonly config: AppConfig;
  /** Yields to other work. */
  readonly pause: () => Promise<unknown>;
  /** Of the request's `mount`. */
  readonly basePath: string | undefined;
}

/** Roles with equal privileges share a document. */
const documentCaches = new WeakMap<SchemaCache, DocumentCache>();

/** @param result of the transaction of the action */
export function describeSchema(
  action: DescribeAction,
  result: ScriptResult,
  cache: SchemaCache,
  context: DescriptionContext,
): Promise<Uint8Array> {
  const { config } = context;
  const visible = result.kind === 'outcome' ? result.outcome.body : undefined;
  const shown = visible === undefined ? '' : new TextDecoder().decode(visible);
  const key = JSON.stringify([
    action.schema,
    action.document,
    config.dbSchemas,
    config.openapiSecurityActive,
    config.openapiServerProxyUri,
    config.openapiExternalDocs,
    context.basePath,
    config.extensions,
    [config.dbAggregatesEnabled, config.dbPlanEnabled, config.dbTxEnd, config.dbMaxRows],
  ]);
  const documents = documentCaches.get(cache) ?? new DocumentCache();
  documentCaches.set(cache, documents);
  return documents.getOrBuild(key + shown, () => buildDocument(action, visible, cache, context));
}

async function buildDocument(
  action: DescribeAction,
  visible: Uint8Array | undefined,
  cache: SchemaCache,
  context: DescriptionContext,
): Promise<Uint8Array> {
  const { config, dialect, product, pause } = context;
  if (action.document !== 'schema') return buildOpenApi(action, visible, cache, context);
  const details = await runSlicesWithPauses(decodeDetails(visible, action.schema), pause);
  const document = buildSchemaDocument({ cache, schema: action.schema, details, config, dialect, product });
  return runSlicesWithPauses(renderJsonInSlices(document), pause);
}

async function buildOpenApi(
  action: DescribeAction,
  visible: Uint8Array | undefined,
  cache: SchemaCache,
  { product, dialect, config, pause, basePath }: DescriptionContext,
): Promise<Uint8Array> {
  const input: DescriptionInput = {
    cache,
    schema: action.schema,
    exposedSchemas: config.dbSchemas,
    visibility: await runSlicesWithPauses(decodeVisibility(visible, action.schema), pause),
    dialect,
    product,
    server: { host: config.serverHost, port: config.serverPort, proxyUri: config.openapiServerProxyUri, basePath },
    externalDocs: config.openapiExternalDocs,
    isSecurityActive: config.openapiSecurityActive,
    takesLines: config.extensions.includes('ingest'),
  };
  const document = action.document === '3.1' ? buildOpenApi31(input) : buildSwagger(input);
  return runSlicesWithPauses(renderJsonInSlices(document), pause);
}

// Describes a schema as bytes of an API description, built once per view of a schema cache.
import { decodeRoutines } from '../catalog/routines.ts';
import { readList, readMember, readRow, readTuples } from './document/read-json.ts';
import { flatMapInSlices, runSlicesWithPauses, type Slices } from '../util/slices.ts';
import type { Routine, SchemaCache } from '../catalog/schema-cache.ts';
import type { AppConfig } from '../config/table/app-config.ts';
import type { Dialect } from '../contract/dialect.ts';
import type { ExplorerFiles } from '../contract/explorer-file.ts';
import type { HttpRequest } from '../contract/http.ts';
import type { Product } from '../contract/product.ts';
import type { ScriptResult } from '../contract/transaction.ts';
import type { DescribeAction } from '../plan/actions/action-plan.ts';
import type { DescriptionInput, Visibility } from './document/description-input.ts';
import { type LazyObject, renderJsonInSlices } from './document/json-document.ts';
import { buildSwagger } from './swagger/build-swagger.ts';

export interface DescriptionContext {
  readonly product: Product;
  readonly dialect: Dialect;
  readonly config: AppConfig;
  readonly cache: SchemaCache;
  readonly explorer?: ExplorerFiles | undefined;
  /** Whether reads can be watched. */
  readonly isWatchable: boolean;
  /** Yields to other work. */
  readonly pause: () => Promise<unknown>;
  /** The request to which the description responds. */
  readonly request: Pick<HttpRequest, 'headers' | 'mount'>;
  readonly seams: DescriptionSeams;
}

export interface DescriptionSeams {
  /** Builds the documents of other versions than 2.0. */
  readonly description?: DescriptionForm | undefined;
  /** Builds the document that the explorer reads, of what `SqlSeams.renderDetails` finds. */
  readonly buildDetails?: BuildDetails | undefined;
}

export type BuildDetails = (
  found: Uint8Array | undefined,
  schema: string,
  context: DescriptionContext,
) => Promise<LazyObject>;

export interface DescriptionForm {
  /** Builds what requests share. */
  readonly build: (input: DescriptionInput) => LazyObject;
  /** Adds what depends on the request. */
  readonly complete: (document: Uint8Array, context: Pick<DescriptionContext, 'config' | 'request'>) => Uint8Array;
}

/** Roles with equal privileges share a document. */
const documentCaches = new WeakMap<SchemaCache, DocumentCache>();

/** @param result of the action's transaction */
export async function describeSchema(
  action: DescribeAction,
  result: ScriptResult,
  context: DescriptionContext,
): Promise<Uint8Array> {
  const { cache, config, request, isWatchable, seams } = context;
  const body = result.kind === 'outcome' ? result.outcome.body : undefined;
  const visible = body instanceof Uint8Array ? body : undefined;
  const shown = visible === undefined ? '' : new TextDecoder().decode(visible);
  const key = JSON.stringify([
    action.schema,
    action.document,
    config.dbSchemas,
    config.openapiSecurityActive,
    config.openapiServerProxyUri,
    config.openapiExternalDocs,
    request.mount?.basePath,
    config.extensions,
    [config.dbAggregatesEnabled, config.dbPlanEnabled, config.dbTxEnd, config.dbMaxRows, isWatchable],
  ]);
  const documents = documentCaches.get(cache) ?? new DocumentCache();
  documentCaches.set(cache, documents);
  const document = await documents.getOrBuild(key + shown, () => buildDocument(action, visible, context));
  if (action.document === '2.0' || action.document === 'schema') return document;
  return seams.description?.complete(document, context) ?? document;
}

async function buildDocument(
  action: DescribeAction,
  found: Uint8Array | undefined,
  context: DescriptionContext,
): Promise<Uint8Array> {
  const { buildDetails } = context.seams;
  const document =
    action.document === 'schema' && buildDetails !== undefined
      ? await buildDetails(found, action.schema, context)
      : await buildOpenApi(action, found, context);
  return runSlicesWithPauses(renderJsonInSlices(document), context.pause);
}

async function buildOpenApi(
  action: DescribeAction,
  visible: Uint8Array | undefined,
  { product, dialect, config, cache, pause, request, isWatchable, seams }: DescriptionContext,
): Promise<LazyObject> {
  const { serverHost: host, serverPort: port, openapiServerProxyUri: proxyUri } = config;
  const version = action.document === 'schema' ? '2.0' : action.document;
  const input: DescriptionInput = {
    version,
    cache,
    schema: action.schema,
    exposedSchemas: config.dbSchemas,
    visibility: await runSlicesWithPauses(decodeVisibility(visible, action.schema), pause),
    dialect,
    product,
    server: { host, port, proxyUri, basePath: request.mount?.basePath },
    externalDocs: config.openapiExternalDocs,
    isSecurityActive: config.openapiSecurityActive,
    extensions: config.extensions,
    isWatchable,
  };
  const form = version === '2.0' ? undefined : seams.description;
  return form === undefined ? buildSwagger(input) : form.build(input);
}

/**
 * Decodes the parts of a schema that the role may see, from the result of `sql/render-visibility.ts`.
 *
 * @param body undefined if everything is visible
 * @throws if the body does not have the form that the statement returns
 */
export function* decodeVisibility(body: Uint8Array | undefined, schema: string): Slices<Visibility> {
  if (body === undefined) return { kind: 'all' };
  const found: unknown = JSON.parse(new TextDecoder().decode(body));
  const rows = yield* flatMapInSlices(readList(found, 'routines'), (value) => [readRow(value)]);
  const routines = yield* decodeRoutines(rows);
  const comment = readMember(found, 'schemaComment');
  return {
    kind: 'some',
    relations: new Map(readTuples(found, 'relations').map(([name, letters]) => [String(name), String(letters)])),
    routines: routines.get(schema) ?? new Map<string, readonly Routine[]>(),
    schemaComment: typeof comment === 'string' ? comment : undefined,
  };
}

const MAX_BYTES = 128_000_000;
const MAX_DOCUMENTS = 50;

/**
 * Caches the API descriptions of one schema cache, shared by roles with equal privileges. Evicts the oldest ones: the
 * document of ten thousand tables takes as much memory as the rest of the server.
 */
export class DocumentCache {
  readonly #documents = new Map<string, Promise<Uint8Array>>();
  readonly #sizes = new Map<string, number>();

  /** Concurrent callers share one build. */
  getOrBuild(key: string, build: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const known = this.#documents.get(key);
    if (known !== undefined) return known;
    const document = build();
    this.#documents.set(key, document);
    document.then(
      ({ byteLength }) => this.#keep(key, byteLength),
      () => this.#documents.delete(key),
    );
    return document;
  }

  /** Records the size of a document and evicts older ones. The newest is always kept, whatever its size. */
  #keep(key: string, size: number): void {
    this.#sizes.set(key, size);
    let total = [...this.#sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
    for (const [oldest, bytes] of this.#sizes) {
      if (oldest === key || (total <= MAX_BYTES && this.#sizes.size <= MAX_DOCUMENTS)) return;
      this.#documents.delete(oldest);
      this.#sizes.delete(oldest);
      total -= bytes;
    }
  }
}

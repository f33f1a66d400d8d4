// Describes a real database like the server does: the cache from the catalogs, the privileges in a transaction.
import { enableExtensions } from '../../src/contract/extensions.ts';
import { buildSchemaCache } from '../../src/catalog/decode.ts';
import type { SchemaCache } from '../../src/catalog/schema-cache.ts';
import { decodeVisibility } from '../../src/openapi/describe-schema.ts';
import { runSlices } from '../../src/util/slices.ts';
import { SVC_DIALECT } from '../../src/contract/dialect.ts';
import { quoteIdentifier } from '../../src/contract/identifiers.ts';
import { PRODUCT } from '../../src/contract/product.ts';
import { withConnection } from '../../tools/embedded/script/sql-session.ts';
import type { DescriptionInput, Visibility } from '../../src/openapi/document/description-input.ts';
import { type LazyObject, renderJsonInSlices } from '../../src/openapi/document/json-document.ts';
import { renderVisibility } from '../../src/sql/render-visibility.ts';
import { loadRows } from '../support/load-cache.ts';

export async function readCache(uri: string, schemas: readonly string[] = ['api']): Promise<SchemaCache> {
  return buildSchemaCache(await loadRows(uri, { schemas, extraSearchPath: ['public'] }));
}

/** Returns what the role may see, with type names relative to the search path `<schema>, public`. */
export async function readVisibility(uri: string, role: string, schema = 'api'): Promise<Visibility> {
  return withConnection(uri, async (client) => {
    const path = `${quoteIdentifier(schema)}, public`;
    await client.query(`begin read only; set local search_path to ${path}; set local role ${quoteIdentifier(role)}`);
    const { text, parameters } = renderVisibility({ schema, mode: 'follow-privileges' });
    const { rows } = await client.query<{ body: string }>(text, [...parameters]);
    return runSlices(decodeVisibility(new TextEncoder().encode(rows[0]!.body), schema));
  });
}

export function inputOf(cache: SchemaCache, changes: Partial<DescriptionInput> = {}): DescriptionInput {
  return {
    version: '3.1',
    cache,
    schema: 'api',
    exposedSchemas: ['api'],
    visibility: { kind: 'all' },
    dialect: SVC_DIALECT,
    product: PRODUCT,
    server: { host: '127.0.0.1', port: 3000, proxyUri: undefined },
    externalDocs: undefined,
    isSecurityActive: false,
    extensions: enableExtensions([]),
    isWatchable: false,
    ...changes,
  };
}

/** A parsed document without static types. */
export type Json = Record<string, unknown>;

export function parseDocument(document: LazyObject): Json {
  return JSON.parse(new TextDecoder().decode(runSlices(renderJsonInSlices(document)))) as Json;
}

/** Returns the value at a path of keys. */
export function at(document: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Json | undefined)?.[key], document);
}

// Builds the OpenAPI 3.1 or 3.2 document of one schema, limited to its visible objects. Version 3.2 adds QUERY operations
// and describes the items of streams; everything else is the same.
import type { DescriptionInput } from '../document/description-input.ts';
import { buildExternalDocs, buildInfo } from '../document/info.ts';
import { LazyObject, type Member } from '../document/json-document.ts';
import { buildContext, type DocumentContext } from './document-context.ts';
import { listParameters } from './filters.ts';
import { listPaths, listTags } from './paths.ts';
import { listRequestBodies } from './request-bodies.ts';
import { listResponses } from './responses.ts';
import { listSchemas } from './schemas.ts';

const HEADERS = {
  contentRange: {
    description: 'First and last row returned, and the total number of rows: `0-24/100`',
    schema: { type: 'string' },
  },
  location: { description: 'Path and query of the created row, if there is only one', schema: { type: 'string' } },
};

const SECURITY_SCHEMES = { JWT: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } };

/**
 * Omits `servers`, which depends on the request. Members are created while they are written: pass the document to
 * `renderJsonInSlices` only once.
 */
export function buildOpenApi31(input: DescriptionInput): LazyObject {
  const context = buildContext(input);
  const security: readonly Member[] = input.isSecurityActive ? [['security', [{ JWT: [] }]]] : [];
  const docs: readonly Member[] =
    input.externalDocs === undefined ? [] : [['externalDocs', buildExternalDocs(input.product, input.externalDocs)]];
  return new LazyObject([
    ['openapi', `${input.version}.0`],
    ['info', buildInfo(input)],
    ...security,
    ['tags', listTags(context)],
    ['paths', new LazyObject(listPaths(context))],
    ['components', buildComponents(context)],
    ...docs,
  ]);
}

function buildComponents(context: DocumentContext): LazyObject {
  const securitySchemes: readonly Member[] = context.input.isSecurityActive
    ? [['securitySchemes', SECURITY_SCHEMES]]
    : [];
  return new LazyObject([
    ['schemas', new LazyObject(listSchemas(context))],
    ['requestBodies', new LazyObject(listRequestBodies(context))],
    ['responses', new LazyObject(listResponses(context))],
    ['parameters', new LazyObject(listParameters(context))],
    ['headers', HEADERS],
    ...securitySchemes,
  ]);
}

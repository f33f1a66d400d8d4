// Builds the OpenAPI 3.1 or 3.2 document of one schema, limited to its visible objects. Version 3.2 adds QUERY operations
// and describes the items of streams; everything else is the same.
import { splitComment } from '../../openapi/document/comment-text.ts';
import { type DescriptionInput, listRoutines } from '../../openapi/document/description-input.ts';
import { buildExternalDocs, buildInfo } from '../../openapi/document/info.ts';
import { LazyObject, type Member } from '../../openapi/document/json-document.ts';
import { buildContext, type DocumentContext } from './document-context.ts';
import { listParameters } from './filters.ts';
import { FORMATS, REGISTERED_OPENAPI_TYPE } from '../../media/formats.ts';
import { ERROR, type Operation, type Response } from './operation.ts';
import { describeRelationPath, describeRowsResponse, rowsKey } from './relation-path.ts';
import { listRequestBodies } from './request-bodies.ts';
import { describeRoutinePath, FUNCTIONS_TAG } from './routine-path.ts';
import { listSchemas } from './schemas.ts';
import { listUsableRelations } from './usable-relations.ts';

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

const ROOT_TAG = 'Introspection';

interface Tag {
  readonly name: string;
  readonly description?: string;
}

/** Lists the paths of the document (root, relations, functions) and the tags that group them. */
function* listPaths(context: DocumentContext): Generator<Member> {
  const { input } = context;
  yield ['/', { get: describeRoot(context) }];
  for (const relation of listUsableRelations(input)) {
    yield [`/${encodeURIComponent(relation.name.name)}`, describeRelationPath(relation, context)];
  }
  for (const [name, overloads] of listRoutines(input)) {
    yield [`/rpc/${encodeURIComponent(name)}`, describeRoutinePath(name, overloads, context)];
  }
}

function listTags({ input }: DocumentContext): readonly Tag[] {
  const tags = new Map<string, Tag>([[ROOT_TAG, { name: ROOT_TAG }]]);
  for (const { name, comment } of listUsableRelations(input)) {
    const summary = comment === undefined ? {} : { description: splitComment(comment).summary };
    tags.set(name.name, { name: name.name, ...summary });
  }
  if (listRoutines(input).size > 0 && !tags.has(FUNCTIONS_TAG)) tags.set(FUNCTIONS_TAG, { name: FUNCTIONS_TAG });
  return [...tags.values()];
}

function describeRoot({ readProfile }: DocumentContext): Operation {
  return {
    tags: [ROOT_TAG],
    summary: 'OpenAPI description (this document)',
    operationId: 'describe',
    parameters: readProfile,
    responses: {
      200: {
        description: 'OK',
        content: {
          [FORMATS.openapi.mediaType]: { schema: { type: 'object' } },
          [REGISTERED_OPENAPI_TYPE]: { schema: { type: 'object' } },
        },
      },
      ...ERROR,
    },
  };
}

const ERROR_BODY: Pick<Response, 'content'> = {
  content: {
    [FORMATS.json.mediaType]: {
      schema: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', description: 'SQLSTATE, or error code of the server' },
          message: { type: 'string' },
          details: { description: 'Omitted if the server is configured to shorten errors' },
          hint: { type: ['string', 'null'], description: 'Omitted if the server is configured to shorten errors' },
        },
      },
    },
  },
};

const ERROR_RESPONSE: Response = { description: 'The request failed', ...ERROR_BODY };

/** Of the extension `etag`. */
const CONDITION_FAILED: Response = {
  description: 'The row is not in the state that `If-Match` or `If-None-Match` demands; nothing was changed',
  ...ERROR_BODY,
};

/**
 * Lists the shared responses of the document: the error that any operation can return, and the rows of each relation.
 */
function* listResponses(context: DocumentContext): Generator<Member> {
  yield ['Error', ERROR_RESPONSE];
  if (context.input.extensions.etag) yield ['ConditionFailed', CONDITION_FAILED];
  yield ['NoContent', { description: 'The request succeeded; there is no content to return' }];
  for (const relation of listUsableRelations(context.input)) {
    yield [rowsKey(relation), describeRowsResponse(relation, context)];
  }
}

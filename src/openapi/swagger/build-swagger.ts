// Builds the Swagger 2.0 document of one schema, limited to its visible objects (`operating.md` §12).
import type { Relation } from '../../catalog/schema-cache.ts';
import { parseUri } from '../../config/table/uri.ts';
import { describeOperation } from '../document/comment-text.ts';
import { FORMATS } from '../../media/formats.ts';
import {
  type DescriptionInput,
  listRelations,
  listRoutines,
  type ServerAddress,
} from '../document/description-input.ts';
import { buildExternalDocs, buildInfo } from '../document/info.ts';
import { LazyObject, type Member } from '../document/json-document.ts';
import { listDefinitions } from './definitions.ts';
import { bodyKey, listParameters, type Reference, refTo, rowFilterKey } from './parameters.ts';
import { describeRoutine, listJsonTypes } from './routine-path.ts';

const SECURITY: readonly Member[] = [
  ['security', [{ JWT: [] }]],
  [
    'securityDefinitions',
    {
      JWT: {
        description: 'Add the token prepending "Bearer " (without quotes) to it',
        in: 'header',
        name: 'Authorization',
        type: 'apiKey',
      },
    },
  ],
];

/** Members are created while they are written: pass the document to `renderJsonInSlices` only once. */
export function buildSwagger(input: DescriptionInput): LazyObject {
  const { dialect, product, server, externalDocs, isSecurityActive } = input;
  const { host, basePath, schemes } = describeServer(server);
  // The specification requires external documentation in every document; the default is the API itself.
  const page = externalDocs ?? (host && schemes && `${schemes[0]}://${host}${basePath}`);
  const mediaTypes = [...listJsonTypes(dialect), FORMATS.csv.mediaType];
  return new LazyObject([
    ['swagger', '2.0'],
    ['info', buildInfo(input)],
    ['host', host],
    ['basePath', basePath],
    ['schemes', schemes],
    ['consumes', mediaTypes],
    ['produces', mediaTypes],
    ...(isSecurityActive ? SECURITY : []),
    ['paths', new LazyObject(listPaths(input))],
    ['parameters', new LazyObject(listParameters(input))],
    ['definitions', new LazyObject(listDefinitions(input))],
    ...(page === undefined ? [] : [['externalDocs', buildExternalDocs(product, page)] as const]),
  ]);
}

const ROOT = {
  get: {
    tags: ['Introspection'],
    summary: 'OpenAPI description (this document)',
    produces: [FORMATS.openapi.mediaType, FORMATS.json.mediaType],
    responses: { 200: { description: 'OK' } },
  },
};

const READ = refsTo('select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount');
const INSERT = refsTo('select', 'preferPost');
const CHANGE = refsTo('preferReturn');
const NO_CONTENT = { 204: { description: 'No Content' } };

/** Lists the paths of the document (`operating.md` §12.3). */
function* listPaths(input: DescriptionInput): Generator<Member> {
  yield ['/', ROOT];
  for (const relation of listRelations(input)) yield [`/${relation.name.name}`, describeRelationPath(relation)];
  for (const [name, [shown]] of listRoutines(input)) {
    if (shown !== undefined) yield [`/rpc/${name}`, describeRoutine(shown, input.dialect)];
  }
}

function describeRelationPath(relation: Relation): object {
  const { name } = relation.name;
  const common = { tags: [name], ...describeOperation(relation.comment) };
  const filters = [...relation.columns.keys()].map((column) => refTo('parameters', rowFilterKey(relation, column)));
  const body = refTo('parameters', bodyKey(relation));
  const rows = { type: 'array', items: refTo('definitions', name) };
  const responses = { 200: { description: 'OK', schema: rows }, 206: { description: 'Partial Content' } };
  const get = { ...common, parameters: [...filters, ...READ], responses };
  if (!(relation.isInsertable || relation.isUpdatable || relation.isDeletable)) return { get };
  return {
    get,
    post: { ...common, parameters: [body, ...INSERT], responses: { 201: { description: 'Created' } } },
    patch: { ...common, parameters: [...filters, body, ...CHANGE], responses: NO_CONTENT },
    delete: { ...common, parameters: [...filters, ...CHANGE], responses: NO_CONTENT },
  };
}

function refsTo(...keys: readonly string[]): readonly Reference[] {
  return keys.map((key) => refTo('parameters', key));
}

interface SwaggerServer {
  /** Undefined if unknown, and for an IPv6 literal, which Swagger's `host` does not allow. */
  readonly host: string | undefined;
  readonly basePath: string;
  /** Undefined: the scheme by which the document was read. */
  readonly schemes: readonly string[] | undefined;
}

const ANY_ADDRESS: ReadonlySet<string> = new Set(['*', '*4', '!4', '*6', '!6']);
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };

/** Describes where the API is reached, in the form of Swagger 2.0 (`operating.md` §12.2). */
function describeServer({ host, port, proxyUri, basePath }: ServerAddress): SwaggerServer {
  const proxy = proxyUri === undefined ? undefined : parseUri(proxyUri);
  if (proxy?.authority === undefined) {
    if (basePath !== undefined) return { host: undefined, basePath: basePath || '/', schemes: undefined };
    const shown = ANY_ADDRESS.has(host) ? '0.0.0.0' : host;
    return { host: joinHost(shown, String(port)), basePath: '/', schemes: ['http'] };
  }
  const scheme = proxy.scheme.toLowerCase();
  return {
    host: joinHost(proxy.authority.host, proxy.authority.port ?? DEFAULT_PORTS[scheme] ?? '80'),
    basePath: proxy.path === '' ? '/' : proxy.path,
    schemes: [scheme],
  };
}

function joinHost(host: string, port: string): string | undefined {
  return host.includes(':') ? undefined : `${host}:${port}`;
}

// Builds the Swagger 2.0 document of one schema, limited to its visible objects (`operating.md` §12).
import { FORMATS } from '../../media/formats.ts';
import { type DescriptionInput } from '../document/description-input.ts';
import { buildExternalDocs, buildInfo } from '../document/info.ts';
import { LazyObject, type Member } from '../document/json-document.ts';
import { listDefinitions } from './definitions.ts';
import { listParameters } from './parameters.ts';
import { listPaths } from './paths.ts';
import { listJsonTypes } from './routine-path.ts';
import { describeServer } from './server.ts';

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

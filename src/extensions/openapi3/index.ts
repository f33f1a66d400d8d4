// OpenAPI 3.1 and 3.2 (`operating.md` §12.1): the description where `openapi-version` asks for it, and for clients that
// accept the registered media type. The core builds Swagger 2.0.
import type { OpenApiVersion } from '../../config/table/app-config.ts';
import { REGISTERED_OPENAPI_TYPE } from '../../media/formats.ts';
import type { MediaType } from '../../media/media-type.ts';
import { appendMember } from '../../openapi/document/json-document.ts';
import { findServerUrl } from '../../openapi/document/server-url.ts';
import type { DocumentChoice } from '../../plan/actions/plan-context.ts';
import { isDescriptionType, OPENAPI_CONTENT_TYPE } from '../../plan/plan-request.ts';
import type { Extension } from '../../serve/extension.ts';
import { buildOpenApi31 } from './build-openapi31.ts';

export const OPENAPI3: Extension = {
  name: 'openapi3',
  compile({ config: { openapiVersion, extensions } }) {
    const configured = openapiVersion === '3.2' && !extensions.openapi32 ? '3.1' : openapiVersion;
    return {
      chooseDocument: (type) => chooseDocument(type, configured),
      description: {
        build: buildOpenApi31,
        complete: (document, { request, config }) =>
          appendMember(document, ['servers', [{ url: findServerUrl(request, config.openapiServerProxyUri) }]]),
      },
    };
  },
};

/** Version 3.2 is sent only where it is configured, since many tools cannot read it yet. */
function chooseDocument(type: MediaType, configured: OpenApiVersion): DocumentChoice | undefined {
  if (isDescriptionType(type))
    return configured === '2.0' ? undefined : { document: configured, contentType: OPENAPI_CONTENT_TYPE };
  if (type.kind !== 'other' || type.essence !== REGISTERED_OPENAPI_TYPE) return undefined;
  const asked = /;\s*version="?(?<version>[\d.]+)/iu.exec(type.text)?.groups?.['version'] ?? configured;
  const document = configured === '3.2' && asked.startsWith('3.2') ? '3.2' : '3.1';
  return { document, contentType: `${REGISTERED_OPENAPI_TYPE};version=${document}; charset=utf-8` };
}

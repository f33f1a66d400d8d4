// Plans GET and HEAD on `/`: chooses the document and its media type (`operating.md` §12.1).
import type { OpenApiVersion } from '../config/table/app-config.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import { REGISTERED_OPENAPI_TYPE } from '../media/formats.ts';
import { contentTypeOf, contentTypeOfFormat, type MediaType } from '../media/media-type.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { DescribeAction } from './actions/action-plan.ts';
import { unavailable } from './negotiation/negotiate.ts';
import type { PlanContext } from './actions/plan-context.ts';
import { planTransaction } from './actions/plan-transaction.ts';

const OPENAPI_CONTENT_TYPE = contentTypeOfFormat('openapi');

export function planDescription(
  request: ApiRequest,
  isHead: boolean,
  context: PlanContext,
): Result<DescribeAction, ApiError> {
  const { openapiMode, openapiVersion, extensions } = context.config;
  if (openapiMode === 'disabled') return fail({ kind: 'rootDisabled' });
  const isNewest = openapiVersion === '3.2' && extensions.includes('openapi32');
  const version = openapiVersion === '3.2' && !isNewest ? '3.1' : openapiVersion;
  const document = chooseDocument(request.accepted, version);
  if (document === undefined) return fail(unavailable(request.accepted));
  // A user interface should offer only forms that the role may submit, regardless of `openapi-mode`.
  const mode = document.document === 'schema' ? 'follow-privileges' : openapiMode;
  const transaction = planTransaction(request, context, { access: 'read only', use: 'read', ineffective: [] });
  return ok({ kind: 'describe', mode, isHead, ...document, ...transaction });
}

/** @returns undefined if none of the accepted types is supported */
export function chooseDocument(
  accepted: readonly MediaType[],
  configured: OpenApiVersion,
): Pick<DescribeAction, 'document' | 'contentType'> | undefined {
  for (const type of accepted) {
    if (type.kind === 'schema') return { document: 'schema', contentType: contentTypeOf(type) };
    if (type.kind === 'openapi' || type.kind === 'json' || type.kind === 'any')
      return { document: configured, contentType: OPENAPI_CONTENT_TYPE };
    if (type.kind === 'other' && type.essence === REGISTERED_OPENAPI_TYPE)
      return chooseRegistered(type.text, configured);
  }
  return undefined;
}

/** Version 3.2 is sent only where it is configured, since many tools cannot read it yet. */
function chooseRegistered(text: string, configured: OpenApiVersion): Pick<DescribeAction, 'document' | 'contentType'> {
  const asked = /;\s*version="?(?<version>[\d.]+)/iu.exec(text)?.groups?.['version'] ?? configured;
  const version = configured === '3.2' && asked.startsWith('3.2') ? '3.2' : '3.1';
  return { document: version, contentType: `${REGISTERED_OPENAPI_TYPE};version=${version}; charset=utf-8` };
}

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
  const { openapiMode, openapiVersion } = context.config;
  if (openapiMode === 'disabled') return fail({ kind: 'rootDisabled' });
  const document = chooseDocument(request.accepted, openapiVersion);
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
      return { document: '3.1', contentType: `${REGISTERED_OPENAPI_TYPE};version=3.1; charset=utf-8` };
  }
  return undefined;
}

// Plans a request: makes every decision that needs no database connection.
import { planTransaction } from './actions/plan-transaction.ts';
import type { Relation } from '../catalog/schema-cache.ts';
import type { OpenApiVersion } from '../config/table/app-config.ts';
import { assertNever, fail, ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import { REGISTERED_OPENAPI_TYPE } from '../media/formats.ts';
import { contentTypeOf, contentTypeOfFormat, type MediaType } from '../media/media-type.ts';
import { findRelationOrFail } from './names/find-relation.ts';
import { unavailable } from './negotiation/negotiate.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { QUERY_TYPE } from '../request/long-query.ts';
import type { Target } from '../request/target.ts';
import type { Slices } from '../util/slices.ts';
import type { ActionPlan, DescribeAction, InfoAction } from './actions/action-plan.ts';
import { planCall } from './calls/plan-call.ts';
import { isNested, planNested } from './writes/nested/plan-nested.ts';
import { planMutation } from './writes/plan-mutation.ts';
import type { PlanContext } from './actions/plan-context.ts';
import { planRelationRead } from './plan-relation-read.ts';

/** Plans in slices, because a body with related rows may be long. */
export function* planRequestInSlices(request: ApiRequest, context: PlanContext): Slices<Result<ActionPlan, ApiError>> {
  const { action } = request;
  return action.kind === 'mutateRelation' && isNested(request)
    ? yield* planNested(request, action, context)
    : planRequest(request, context);
}

/** Plans a request whose body contains no related rows. */
export function planRequest(request: ApiRequest, context: PlanContext): Result<ActionPlan, ApiError> {
  const { action } = request;
  switch (action.kind) {
    case 'readRelation':
      return planRelationRead(request, action, context);
    case 'mutateRelation':
      return planMutation(request, action, context);
    case 'callRoutine':
      return planCall(request, action, context);
    case 'describeSchema':
      return planDescription(request, action.isHead, context);
    case 'showPage':
      return ok({ kind: 'page', isHead: action.isHead });
    case 'listMethods':
      return planInfo(request, action.target, context);
    default:
      return assertNever(action);
  }
}

const OPENAPI_CONTENT_TYPE = contentTypeOfFormat('openapi');

/** Plans GET and HEAD on `/`: chooses the document and its media type (`operating.md` §12.1). */
function planDescription(request: ApiRequest, isHead: boolean, context: PlanContext): Result<DescribeAction, ApiError> {
  const { openapiMode, openapiVersion, extensions } = context.config;
  if (openapiMode === 'disabled') return fail({ kind: 'rootDisabled' });
  const isNewest = openapiVersion === '3.2' && extensions.openapi32;
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

const READING = ['OPTIONS', 'GET', 'HEAD'] as const;

/**
 * Plans OPTIONS: the methods that a resource supports (`writing.md` §18.1). Runs no transaction and ignores
 * privileges.
 */
function planInfo(request: ApiRequest, target: Target, context: PlanContext): Result<InfoAction, ApiError> {
  switch (target.kind) {
    case 'root':
      return ok(info(READING));
    case 'relation': {
      const relation = findRelationOrFail({ schema: request.profile.schema, name: target.name }, context);
      return relation.ok ? ok(info(methodsOf(relation.value, readingIn(context)))) : relation;
    }
    case 'routine': {
      const call = planCall(request, { kind: 'callRoutine', routine: target.name, method: 'get' }, context);
      if (!call.ok) return call;
      const isVolatile = call.value.routine.volatility === 'volatile';
      return ok(info(isVolatile ? ['OPTIONS', 'POST'] : [...readingIn(context), 'POST']));
    }
  }
}

function info(methods: readonly string[]): InfoAction {
  return { kind: 'info', allow: methods.join(','), acceptQuery: methods.includes('QUERY') ? QUERY_TYPE : undefined };
}

function readingIn({ config }: PlanContext): readonly string[] {
  return config.extensions.query ? [...READING, 'QUERY'] : READING;
}

function methodsOf(relation: Relation, reading: readonly string[]): readonly string[] {
  const { isInsertable, isUpdatable, isDeletable, primaryKey } = relation;
  return [
    ...reading,
    ...(isInsertable ? ['POST'] : []),
    ...(isInsertable && isUpdatable && primaryKey.length > 0 ? ['PUT'] : []),
    ...(isUpdatable ? ['PATCH'] : []),
    ...(isDeletable ? ['DELETE'] : []),
  ];
}

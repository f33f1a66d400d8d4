// Plans a request: makes every decision that needs no database connection.
import { planTransaction } from './actions/plan-transaction.ts';
import type { Relation } from '../catalog/schema-cache.ts';
import { assertNever, fail, ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import { contentTypeOfFormat, type MediaType } from '../media/media-type.ts';
import { findRelationOrFail } from './names/find-relation.ts';
import { unavailable } from './negotiation/negotiate.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { QUERY_TYPE } from '../request/long-query.ts';
import type { Target } from '../request/target.ts';
import type { Slices } from '../util/slices.ts';
import type { ActionPlan, DescribeAction, InfoAction } from './actions/action-plan.ts';
import { planCall } from './calls/plan-call.ts';
import { planMutation } from './writes/plan-mutation.ts';
import type { DocumentChoice, PlanContext } from './actions/plan-context.ts';
import { planRelationRead } from './plan-relation-read.ts';

export function* planRequestInSlices(request: ApiRequest, context: PlanContext): Slices<Result<ActionPlan, ApiError>> {
  const slices = context.seams.planInSlices?.(request, context);
  return slices === undefined ? planRequest(request, context) : yield* slices;
}

/** Plans a request that no extension plans. */
export function planRequest(request: ApiRequest, context: PlanContext): Result<ActionPlan, ApiError> {
  const planned = planAction(request, context);
  const { completePlan } = context.seams;
  return completePlan === undefined || !planned.ok ? planned : completePlan(planned.value, context.cache);
}

function planAction(request: ApiRequest, context: PlanContext): Result<ActionPlan, ApiError> {
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

export const OPENAPI_CONTENT_TYPE: string = contentTypeOfFormat('openapi');

/** Plans GET and HEAD on `/`: chooses the document and its media type (`operating.md` §12.1). */
function planDescription(request: ApiRequest, isHead: boolean, context: PlanContext): Result<DescribeAction, ApiError> {
  const { openapiMode } = context.config;
  if (openapiMode === 'disabled') return fail({ kind: 'rootDisabled' });
  const document = chooseDocument(request.accepted, context);
  if (document === undefined) return fail(unavailable(request.accepted));
  // A user interface should offer only forms that the role may submit, regardless of `openapi-mode`.
  const mode = document.document === 'schema' ? 'follow-privileges' : openapiMode;
  const transaction = planTransaction(request, context, 'read only', 'read', []);
  return ok({ kind: 'describe', mode, isHead, ...document, ...transaction });
}

/** @returns undefined if none of the accepted types is supported */
export function chooseDocument(
  accepted: readonly MediaType[],
  { seams }: Pick<PlanContext, 'seams'>,
): DocumentChoice | undefined {
  for (const type of accepted) {
    const other = seams.chooseDocument?.(type);
    if (other !== undefined) return other;
    if (isDescriptionType(type)) return { document: '2.0', contentType: OPENAPI_CONTENT_TYPE };
  }
  return undefined;
}

/** Whether the configured description of the schema has this type. */
export function isDescriptionType({ kind }: MediaType): boolean {
  return kind === 'openapi' || kind === 'json' || kind === 'any';
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

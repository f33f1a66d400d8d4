// Plans OPTIONS: the methods that a resource supports (`writing.md` §18.1). Runs no transaction and ignores privileges.
import { ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { Relation } from '../catalog/schema-cache.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { QUERY_TYPE } from '../request/long-query.ts';
import type { Target } from '../request/target.ts';
import type { InfoAction } from './actions/action-plan.ts';
import { findRelationOrFail } from './names/find-relation.ts';
import { planCall } from './calls/plan-call.ts';
import type { PlanContext } from './actions/plan-context.ts';

const READING = ['OPTIONS', 'GET', 'HEAD'] as const;

export function planInfo(request: ApiRequest, target: Target, context: PlanContext): Result<InfoAction, ApiError> {
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
  return config.extensions.includes('query') ? [...READING, 'QUERY'] : READING;
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

// Checks what a write or a call is about before its body is read.
import { findRoutines, type Relation } from '../catalog/schema-cache.ts';
import type { QualifiedName } from '../contract/identifiers.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { findFormat } from '../request/payload/parse-payload.ts';
import type { CallAction } from './actions/action-plan.ts';
import type { PlanContext } from './actions/plan-context.ts';
import { resolveRoutine } from './calls/overload.ts';
import { findRelationOrFail } from './names/find-relation.ts';

/** @returns the error that does not depend on the body, if there is one */
export function checkTarget(
  head: ApiRequest,
  contentType: string | undefined,
  { cache, dialect, visible }: PlanContext,
): ApiError | undefined {
  const { action, profile, preferences, query } = head;
  if (action.kind !== 'mutateRelation' && action.kind !== 'callRoutine') return undefined;
  const target = action.kind === 'mutateRelation' ? 'relation' : 'routine';
  const format = findFormat({ contentType, target }, dialect);
  if (!format.ok) return format.error;
  if (action.kind === 'mutateRelation') {
    const relation = findRelationOrFail({ schema: profile.schema, name: action.relation }, { cache, visible });
    return relation.ok ? undefined : relation.error;
  }
  const name = { schema: profile.schema, name: action.routine };
  if (findRoutines(cache, name).length > 0) return undefined;
  const routine = resolveRoutine({
    cache,
    visible,
    name,
    // Names in the body are not known yet.
    argumentNames: query.columns ?? [],
    method: 'post',
    contentType: format.value,
    singleObject: preferences.params !== undefined,
  });
  return routine.ok ? undefined : routine.error;
}

/** What a role needs a privilege on. */
export interface CheckedTarget {
  readonly name: QualifiedName;
  /** As in PostgreSQL's messages. */
  readonly kind: string;
  readonly privilege: 'insert' | 'update' | 'execute';
  readonly call?: DeniedCall;
}

/** A call of which no more is known than its function. */
export type DeniedCall = Pick<CallAction, 'kind' | 'schema' | 'access'>;

/** @returns undefined if the target does not exist or is read */
export function findTarget(
  { action, profile: { schema } }: ApiRequest,
  planning: PlanContext,
): CheckedTarget | undefined {
  if (action.kind === 'mutateRelation') {
    const relation = findRelationOrFail({ schema, name: action.relation }, planning);
    if (!relation.ok) return undefined;
    const { name, kind } = relation.value;
    return { name, kind: KIND_NAMES[kind], privilege: action.mutation === 'update' ? 'update' : 'insert' };
  }
  if (action.kind !== 'callRoutine') return undefined;
  const name = { schema, name: action.routine };
  const overloads = findRoutines(planning.cache, name);
  if (overloads.length === 0) return undefined;
  // Which overload is meant depends on the body.
  const mayWrite = action.method === 'post' && overloads.some(({ volatility }) => volatility === 'volatile');
  const call = { kind: 'call', schema, access: mayWrite ? 'read write' : 'read only' } as const;
  return { name, kind: 'function', privilege: 'execute', call };
}

const KIND_NAMES: Readonly<Record<Relation['kind'], string>> = {
  table: 'table',
  partitionedTable: 'table',
  view: 'view',
  materializedView: 'materialized view',
  foreignTable: 'foreign table',
};

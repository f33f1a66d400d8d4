// Adds a remedy to an error of the database: the missing GRANT, or a correct spelling of the request. A GRANT names
// only the role and objects that occur in both the request and PostgreSQL's message, and is suggested only if the API
// description is public.
import type { AppConfig } from '../config/table/app-config.ts';
import type { Dialect } from '../contract/dialect.ts';
import type { HttpRequest } from '../contract/http.ts';
import { type QualifiedName, spellIdentifier } from '../contract/identifiers.ts';
import { findRelation, type SchemaCache } from '../catalog/schema-cache.ts';
import type { ApiError } from '../errors/api-error.ts';
import { findOrderHint } from '../errors/usage-hints.ts';
import { splitQuery } from '../request/query/split-query.ts';
import { parseTarget } from '../request/target.ts';
import type { DescribeAction, MutateAction, PlannedRows } from './actions/action-plan.ts';

/** The request that the database rejected. */
export interface RefusedRequest {
  readonly request: Pick<HttpRequest, 'path' | 'rawQuery'>;
  readonly identity: { readonly role: string } | undefined;
  readonly context: {
    readonly dialect: Dialect;
    readonly config: Pick<AppConfig, 'openapiMode' | 'dbRootSpec'>;
    readonly cache: SchemaCache | undefined;
  };
}

export function explainRefusal(
  error: ApiError,
  action: PlannedRows | DescribeAction,
  refused: RefusedRequest,
): ApiError {
  if (error.kind !== 'database' || action.kind === 'describe' || !refused.context.dialect.hasHints) return error;
  const { sqlstate, message, hint } = error.report;
  if (sqlstate === '42501' && hint === undefined) return { ...error, remedy: findGrant(message, action, refused) };
  if (sqlstate === '42703') return { ...error, remedy: findOrderRemedy(message, refused.request.rawQuery) };
  return error;
}

/** A name may contain spaces, so `order=name desc` refers to a column named "name desc", which does not exist. */
function findOrderRemedy(message: string, rawQuery: string): string | undefined {
  const column = /^column (?:[^.]+\.)?(.+) does not exist$/su.exec(message)?.[1];
  if (column === undefined || !/ (?:asc|desc)/iu.test(column)) return undefined;
  const order = splitQuery(rawQuery).find(({ name, value }) => /(?:^|\.)order$/u.test(name) && value?.includes(column));
  return order?.value && findOrderHint(order.name, order.value);
}

const DENIAL =
  /^permission denied for (?:(table|view|materialized view|foreign table)|(function)|(schema)) (?<name>[^\0]+)$/u;

function findGrant(message: string, action: PlannedRows, refused: RefusedRequest): string | undefined {
  const { config, cache } = refused.context;
  const isOpen = config.openapiMode !== 'disabled' && config.dbRootSpec === undefined;
  if (!isOpen || cache === undefined || refused.identity === undefined) return undefined;
  const object = describePrivilege(message, action, { path: refused.request.path, cache });
  return object && `GRANT ${object} TO ${spellIdentifier(refused.identity.role)}`;
}

interface RefusalContext {
  readonly path: string;
  readonly cache: SchemaCache;
}

/** @returns undefined for any object that the request does not name, because a function or trigger may have used it */
function describePrivilege(message: string, action: PlannedRows, { path, cache }: RefusalContext): string | undefined {
  const [, relation, routine, schema, name = ''] = DENIAL.exec(message) ?? [];
  const target = parseTarget(path);
  if (!target.ok || target.value.kind === 'root') return undefined;
  if (schema !== undefined) return name === action.schema ? `USAGE ON SCHEMA ${spellIdentifier(name)}` : undefined;
  const denied = { schema: action.schema, name };
  if (name !== target.value.name) return undefined;
  if (routine !== undefined) return action.kind === 'call' ? `EXECUTE ON FUNCTION ${spell(denied)}` : undefined;
  if (relation === undefined || action.kind === 'call' || findRelation(cache, denied) === undefined) return undefined;
  return `${privilegesOf(action).join(', ')} ON ${spell(denied)}`;
}

function spell({ schema, name }: QualifiedName): string {
  return `${spellIdentifier(schema)}.${spellIdentifier(name)}`;
}

/** Lists every privilege that the statement needs, because PostgreSQL does not say which one is missing. */
function privilegesOf(action: Exclude<PlannedRows, { kind: 'call' }>): readonly string[] {
  if (action.kind === 'read') return ['SELECT'];
  const isReading = action.where.length > 0 || action.returning !== undefined || action.conflict !== undefined;
  return [...(isReading ? ['SELECT'] : []), ...WRITES[action.mutation], ...(isMerging(action) ? ['UPDATE'] : [])];
}

const WRITES = { insert: ['INSERT'], update: ['UPDATE'], put: ['INSERT'], delete: ['DELETE'] } as const;

function isMerging({ conflict }: MutateAction): boolean {
  return conflict?.resolution === 'merge';
}

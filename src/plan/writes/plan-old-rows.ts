// Decides whether a write returns its rows as they were and as they are (`Prefer: return=changes`, `beyond.md` §5.1).
import type { Relation, SchemaCache } from '../../catalog/schema-cache.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { ApiRequest, Mutation } from '../../request/api-request.ts';
import type { ConflictPlan, OldRows } from '../actions/action-plan.ts';
import type { ReadPlan } from '../levels/read-plan.ts';
import { type RowSource, planRowSource } from '../levels/row-source.ts';
import type { Negotiated } from '../negotiation/negotiate.ts';

export interface ChangesSubject {
  readonly mutation: Mutation;
  readonly relation: Relation;
  readonly conflict: ConflictPlan | undefined;
  readonly read: ReadPlan;
  readonly negotiated: Negotiated;
  readonly context: { readonly cache: Pick<SchemaCache, 'returnsOldRows'> };
}

/** Whether the request is one of those to which the preference applies. */
export function wantsChanges({ preferences }: Pick<ApiRequest, 'preferences'>, mutation: Mutation): boolean {
  if (preferences.return !== 'changes') return false;
  return mutation !== 'insert' || preferences.resolution === 'merge-duplicates';
}

/** @returns undefined if the response does not show changes */
export function planChanges(request: ApiRequest, subject: ChangesSubject): Result<OldRows | undefined, ApiError> {
  const { mutation, read, negotiated } = subject;
  if (!wantsChanges(request, mutation)) return ok(undefined);
  if (read.embeds.length > 0) return unavailable('embeds');
  if (read.isGrouped) return unavailable('aggregates');
  if (!FORMATS.has(negotiated.format.kind)) return unavailable('this media type');
  if (subject.mutation === 'delete') return ok({ kind: 'deleted' });
  if (subject.mutation !== 'update') return ok({ kind: subject.conflict?.resolution === 'merge' ? 'merged' : 'none' });
  // If a rival updates a row first, PostgreSQL 18 returns the row before that in a table with BEFORE triggers.
  const hasKey = subject.relation.primaryKey.length > 0;
  if (subject.context.cache.returnsOldRows && (subject.relation.plainWrites === 'all' || !hasKey))
    return ok({ kind: 'returned' });
  if (hasKey) return ok({ kind: 'locked', key: subject.relation.primaryKey });
  return unavailable('a relation without a key before PostgreSQL 18');
}

/** The formats that can show any columns. */
const FORMATS: ReadonlySet<string> = new Set(['json', 'object', 'ndjson', 'csv', 'array']);

function unavailable(subject: string): Result<never, ApiError> {
  return fail({ kind: 'notImplemented', feature: `return=changes with ${subject}` });
}

/** Lists the columns of which a write must return both values. */
export function planChangedColumns(read: ReadPlan, { columns }: Relation, old: OldRows): RowSource {
  const ordered = read.order.flatMap((term) => (term.kind === 'field' ? [term.field.column] : []));
  const source = planRowSource(read, ordered);
  // The old values of a merge travel as texts, whose types are known for stored columns only.
  const isStored = source.kind === 'row' || source.names.every((name) => columns.has(name));
  return isStored || old.kind !== 'merged' ? source : { kind: 'row' };
}

// Decides whether the rows of an insert show if they are new (`Prefer: inserted=true`, `beyond.md` §2.4).
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { findRelation, type SchemaCache } from '../../catalog/schema-cache.ts';
import type { ApiRequest, Mutation } from '../../request/api-request.ts';
import type { ReadPlan } from '../levels/read-plan.ts';

export const INSERTED_KEY = 'inserted';

export function planInserted(
  { preferences }: ApiRequest,
  mutation: Mutation,
  { read, cache }: { readonly read: ReadPlan; readonly cache: SchemaCache },
): Result<boolean, ApiError> {
  const isInsert = mutation === 'insert' || mutation === 'put';
  if (preferences.inserted === undefined || !isInsert || preferences.return !== 'representation') return ok(false);
  if (read.isGrouped) return fail({ kind: 'notImplemented', feature: 'inserted=true with aggregates' });
  if (!showsKey(read, cache)) return ok(true);
  return fail({ kind: 'notImplemented', feature: `inserted=true with a selected key '${INSERTED_KEY}'` });
}

function showsKey(read: ReadPlan, cache: SchemaCache): boolean {
  return (
    read.select.some((item) =>
      item.kind === 'all' ? findRelation(cache, read.relation)?.columns.has(INSERTED_KEY) : item.key === INSERTED_KEY,
    ) ||
    read.embeds.some(({ shape, key, read: embedded }) =>
      shape === 'spread' ? showsKey(embedded, cache) : shape === 'nested' && key === INSERTED_KEY,
    )
  );
}

// Adds the row that a path such as `/berth/1` seems to mean: a table that the role may use, or a similar one, and the
// column of its key. Queries the visible names, for errors only.
import { findRelation, type SchemaCache } from '../../catalog/schema-cache.ts';
import { isColumnVisible, isRelationVisible, type VisibleNames } from '../../catalog/visible-names.ts';
import type { Dialect } from '../../contract/dialect.ts';
import type { HttpRequest } from '../../contract/http.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { parseRowPath } from '../../errors/row-path.ts';
import { resolveProfile } from '../../request/profile.ts';
import { findRelationOrFail } from '../names/find-relation.ts';

export interface PathContext {
  readonly dialect: Dialect;
  readonly schemas: readonly string[];
  readonly cache: SchemaCache;
  /** Returns the names that the role may use. */
  readonly findVisible: () => Promise<VisibleNames>;
}

export async function explainPath(
  error: ApiError,
  { method, headers }: Pick<HttpRequest, 'method' | 'headers'>,
  { dialect, schemas, cache, findVisible }: PathContext,
): Promise<ApiError> {
  const path = error.kind === 'invalidPath' && dialect.hasHints ? parseRowPath(error.path) : undefined;
  const profile = resolveProfile(method, headers, schemas);
  if (error.kind !== 'invalidPath' || path === undefined || !profile.ok) return error;
  const { schema } = profile.value;
  const visible = await findVisible();
  const named = { schema, name: path.name };
  const found = isRelationVisible(visible, named) ? findRelationOrFail(named, { cache, visible }) : undefined;
  const similar = found?.ok ? named.name : suggestName(named, cache, visible);
  const relation = similar === undefined ? undefined : findRelation(cache, { schema, name: similar });
  const [column, ...others] = relation?.primaryKey ?? [];
  if (relation === undefined || column === undefined || others.length > 0) return error;
  return isColumnVisible(visible, relation.name, column)
    ? { ...error, row: { relation: relation.name.name, column } }
    : error;
}

function suggestName(name: { schema: string; name: string }, cache: SchemaCache, visible: VisibleNames) {
  const found = findRelationOrFail(name, { cache, visible });
  return found.ok || found.error.kind !== 'relationNotFound' ? undefined : found.error.suggestion;
}

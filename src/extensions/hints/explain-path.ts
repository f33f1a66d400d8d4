// Adds the row that a path such as `/berth/1` seems to mean: a table that the role may use, or a similar one, and the
// column of its key. Queries the visible names, for errors only.
import { findRelation, type SchemaCache } from '../../catalog/schema-cache.ts';
import { isColumnVisible, isRelationVisible, type Visible, type VisibleNames } from '../../catalog/visible-names.ts';
import type { QualifiedName } from '../../contract/identifiers.ts';
import type { HttpRequest } from '../../contract/http.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { parseRowPath } from '../../errors/row-path.ts';
import { resolveProfile } from '../../request/profile.ts';
import { findRelationOrFail } from '../../plan/names/find-relation.ts';

/** What explains a request that cannot be parsed. */
export interface ParseErrorContext {
  readonly schemas: readonly string[];
  readonly cache: SchemaCache;
  /** Returns the names that the role may use. */
  readonly findVisible: () => Promise<VisibleNames>;
}

export async function explainPath(
  error: ApiError,
  { method, headers }: Pick<HttpRequest, 'method' | 'headers'>,
  { schemas, cache, findVisible }: ParseErrorContext,
): Promise<ApiError> {
  const path = error.kind === 'invalidPath' ? parseRowPath(error.path) : undefined;
  const profile = resolveProfile(method, headers, schemas);
  if (error.kind !== 'invalidPath' || path === undefined || !profile.ok) return error;
  const { schema } = profile.value;
  const named = { schema, name: path.name };
  // Nothing of this or a similar name exists for any role.
  if (findSimilar(named, cache, undefined) === undefined) return error;
  const visible = await findVisible();
  const similar = findSimilar(named, cache, visible);
  const relation = similar === undefined ? undefined : findRelation(cache, { schema, name: similar });
  const [column, ...others] = relation?.primaryKey ?? [];
  if (relation === undefined || column === undefined || others.length > 0) return error;
  return isColumnVisible(visible, relation.name, column)
    ? { ...error, row: { relation: relation.name.name, column } }
    : error;
}

/** @param visible undefined: every name */
function findSimilar(named: QualifiedName, cache: SchemaCache, visible: Visible): string | undefined {
  const found = findRelationOrFail(named, { cache, visible });
  if (found.ok) return isRelationVisible(visible, named) ? named.name : undefined;
  return found.error.kind === 'relationNotFound' ? found.error.suggestion : undefined;
}

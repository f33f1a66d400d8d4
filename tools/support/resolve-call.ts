// Which function a call by name leads to, for tools that have no request.
import type { SchemaCache } from '../../src/catalog/schema-cache.ts';
import type { QualifiedName } from '../../src/contract/identifiers.ts';
import type { Result } from '../../src/contract/result.ts';
import type { ApiError } from '../../src/errors/api-error.ts';
import { resolveRoutine, type ResolvedRoutine } from '../../src/plan/calls/overload.ts';

/** Resolves a POST with a JSON object of these arguments. Fails like `resolveRoutine`. */
export function resolveCall(
  cache: SchemaCache,
  name: QualifiedName,
  argumentNames: readonly string[],
): Result<ResolvedRoutine, ApiError> {
  const request = { method: 'post', contentType: 'json', singleObject: false } as const;
  return resolveRoutine({ ...request, cache, visible: undefined, name, argumentNames });
}

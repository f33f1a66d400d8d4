// Checks whether an unknown value is an error of the catalog, for callers that cannot import the type.
import type { ApiError } from './api-error.ts';
import { isServiceErrorKind } from './error-catalog.ts';

export function isApiError(value: unknown): value is ApiError {
  if (typeof value !== 'object' || value === null) return false;
  const kind: unknown = Reflect.get(value, 'kind');
  return kind === 'database' || isServiceErrorKind(kind);
}

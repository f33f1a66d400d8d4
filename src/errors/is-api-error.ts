// A failure of unknown origin → whether it is an error of the catalogue. For places that cannot name the type.
import type { ApiError } from './api-error.ts';
import { isServiceErrorKind } from './error-catalog.ts';

export function isApiError(value: unknown): value is ApiError {
  if (typeof value !== 'object' || value === null) return false;
  const kind: unknown = Reflect.get(value, 'kind');
  return kind === 'database' || isServiceErrorKind(kind);
}

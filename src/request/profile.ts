// Resolves the schema of a request from its profile header and the exposed schemas (`writing.md` §17).
import { firstHeader, type HeaderList } from '../contract/http.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';

export interface Profile {
  readonly schema: string;
  /** The client named the schema or had a choice: the response then names the schema. */
  readonly isNegotiated: boolean;
}

const WRITING_METHODS: ReadonlySet<string> = new Set(['POST', 'PATCH', 'PUT', 'DELETE']);

/** @param exposed never empty; the first schema is the default */
export function resolveProfile(
  method: string,
  headers: HeaderList,
  exposed: readonly string[],
): Result<Profile, ApiError> {
  const header = WRITING_METHODS.has(method) ? 'content-profile' : 'accept-profile';
  const named = firstHeader(headers, header);
  const schema = named ?? exposed[0] ?? '';
  if (!exposed.includes(schema)) return fail({ kind: 'schemaNotExposed', schema, exposed });
  return ok({ schema, isNegotiated: named !== undefined || exposed.length > 1 });
}

// Reads under which condition a write may happen (`beyond.md` §1.7, RFC 9110 §13.1).
import { allHeaders, type HttpRequest } from '../../contract/http.ts';
import { readVersions } from '../../contract/row-version.ts';
import type { WriteCondition } from '../../request/api-request.ts';

/** POST ignores both headers, because it names no row. */
export function readWriteCondition({ method, headers }: HttpRequest): WriteCondition | undefined {
  if (method === 'POST') return undefined;
  const match = joinValues(allHeaders(headers, 'if-match'));
  const noneMatch = joinValues(allHeaders(headers, 'if-none-match'));
  if (noneMatch !== undefined) {
    if (match !== undefined) return { kind: 'unsupported', feature: 'If-Match together with If-None-Match' };
    if (method === 'PUT' && noneMatch === '*') return { kind: 'absent' };
    return { kind: 'unsupported', feature: 'If-None-Match on writes, except If-None-Match: * on PUT' };
  }
  if (match === undefined) return undefined;
  return match === '*' ? { kind: 'exists' } : { kind: 'unchanged', versions: readVersions(match) };
}

function joinValues(values: readonly string[]): string | undefined {
  return values.length === 0 ? undefined : values.join(',').trim();
}

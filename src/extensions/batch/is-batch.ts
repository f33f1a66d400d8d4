// Recognizes batches (`beyond.md` §2.1).
import { isBatchType } from './body/batch.ts';
import type { Dialect } from '../../contract/dialect.ts';
import { firstHeader, type HttpRequest } from '../../contract/http.ts';
import { parseTarget } from '../../request/target.ts';

export function isBatch(
  { method, path, headers }: Pick<HttpRequest, 'method' | 'path' | 'headers'>,
  dialect: Dialect,
): boolean {
  if (method !== 'POST' || path.length > 1) return false;
  const type = firstHeader(headers, 'content-type');
  const target = parseTarget(path);
  return type !== undefined && target.ok && target.value.kind === 'root' && isBatchType(type, dialect);
}

// Recognizes lists of requests in one body (`beyond.md` §2.1, §6.1).
import type { Dialect } from '../contract/dialect.ts';
import { firstHeader, type HttpRequest } from '../contract/http.ts';
import { parseTarget } from './target.ts';

export function isBatch(
  { method, path, headers }: Pick<HttpRequest, 'method' | 'path' | 'headers'>,
  dialect: Dialect,
): boolean {
  if (method !== 'POST' || path.length > 1) return false;
  const type = firstHeader(headers, 'content-type');
  const target = parseTarget(path);
  return type !== undefined && target.ok && target.value.kind === 'root' && isBatchType(type, dialect);
}

export function isBatchType(contentType: string, { mediaVendor, mediaVendorAliases }: Dialect): boolean {
  const [essence = ''] = contentType.split(';');
  const text = essence.trim().toLowerCase();
  return [mediaVendor, ...mediaVendorAliases].some((vendor) => text === `application/vnd.${vendor}.batch+json`);
}

// Recognizes batches (`beyond.md` §2.1).
import { isBatchType } from './batch/batch.ts';
import type { Dialect } from '../contract/dialect.ts';
import type { Extension } from '../contract/extensions.ts';
import { firstHeader, type HttpRequest } from '../contract/http.ts';
import { parseTarget } from './target.ts';

export interface BatchActivation {
  readonly dialect: Dialect;
  readonly extensions: readonly Extension[];
}

export function isBatch(
  { method, path, headers }: Pick<HttpRequest, 'method' | 'path' | 'headers'>,
  { dialect, extensions }: BatchActivation,
): boolean {
  if (method !== 'POST' || path.length > 1 || !extensions.includes('batch')) return false;
  const type = firstHeader(headers, 'content-type');
  const target = parseTarget(path);
  return type !== undefined && target.ok && target.value.kind === 'root' && isBatchType(type, dialect);
}

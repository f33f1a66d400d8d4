// A write as the client libraries see it: what it does, its values, and the preferences for which they have options.
import { type JsonValue, parseJson } from '../rows/json-value.ts';
import { parseUrl } from '../url-state/parse-url.ts';
import type { QueryModel } from '../url-state/query-model.ts';
import { isAllColumns } from './client-calls.ts';
import { acceptOf, type CopiedRequest } from './copied-request.ts';

export interface CopiedWrite {
  readonly kind: 'insert' | 'upsert' | 'update' | 'delete' | 'call';
  readonly model: QueryModel;
  /** Undefined for a deletion. */
  readonly values: JsonValue | undefined;
  readonly returnsRows: boolean;
  /** Whether exactly one row must be written, which the response contains as an object. */
  readonly isSingle: boolean;
  readonly ignoresDuplicates: boolean;
  readonly usesDefaults: boolean;
  readonly isRolledBack: boolean;
  readonly count: string | undefined;
}

const PREFERENCES: ReadonlySet<string> = new Set([
  'return=representation',
  'return=minimal',
  'resolution=merge-duplicates',
  'resolution=ignore-duplicates',
  'missing=default',
  'count=exact',
  'count=planned',
  'count=estimated',
  'tx=rollback',
]);
/** Headers that the libraries send by themselves. */
export const WRITE_HEADERS = ['Accept', 'Content-Type', 'Prefer', 'Accept-Profile', 'Content-Profile'] as const;

/** Returns undefined if a library cannot send the request exactly. */
export function readWrite(copied: CopiedRequest): CopiedWrite | undefined {
  const { request } = copied;
  const model = parseUrl(request.url);
  const accept = acceptOf(copied) ?? 'application/json';
  const isSingle = /^application\/vnd\.\w+\.object\+json$/u.test(accept);
  const preferences = preferencesOf(copied);
  if (!model.ok || !preferences.every((one) => PREFERENCES.has(one))) return undefined;
  if (!isSingle && accept !== 'application/json') return undefined;
  const values = request.body === undefined ? undefined : parseExactly(copied, request.body);
  const kind = kindOf(copied, model.value, preferences);
  if (kind === undefined || (kind === 'delete') !== (values === undefined)) return undefined;
  const returnsRows = kind === 'call' || preferences.includes('return=representation');
  const { columns, onConflict } = model.value.params;
  if (columns !== undefined || (onConflict !== undefined && kind !== 'upsert')) return undefined;
  if (!returnsRows && (!isAllColumns(model.value) || isSingle)) return undefined;
  return {
    kind,
    values,
    returnsRows,
    isSingle,
    model: model.value,
    ignoresDuplicates: preferences.includes('resolution=ignore-duplicates'),
    usesDefaults: preferences.includes('missing=default'),
    isRolledBack: preferences.includes('tx=rollback'),
    count: preferences.find((one) => one.startsWith('count='))?.slice(6),
  };
}

function preferencesOf({ request }: CopiedRequest): readonly string[] {
  const stated = request.headers.filter(([name]) => name === 'Prefer').flatMap(([, value]) => value.split(','));
  return stated.map((one) => one.trim()).filter((one) => one !== '');
}

function kindOf(
  { request }: CopiedRequest,
  { path }: QueryModel,
  preferences: readonly string[],
): CopiedWrite['kind'] | undefined {
  if (path.kind === 'function') return request.method === 'POST' ? 'call' : undefined;
  if (request.method === 'PATCH') return 'update';
  if (request.method === 'DELETE') return 'delete';
  if (request.method !== 'POST') return undefined;
  return preferences.some((one) => one.startsWith('resolution=')) ? 'upsert' : 'insert';
}

/** Returns undefined for a body that a program would not send unchanged. */
function parseExactly({ request }: CopiedRequest, body: string): JsonValue | undefined {
  const type = request.headers.find(([name]) => name === 'Content-Type')?.[1];
  const value = type === 'application/json' ? parseJson(body) : undefined;
  return value !== undefined && isExact(value) ? value : undefined;
}

function isExact(value: JsonValue): boolean {
  if (value.kind === 'number') return isExactNumber(value.text);
  if (value.kind === 'array') return value.items.every(isExact);
  if (value.kind !== 'object') return value.kind !== 'deep';
  const keys = new Set(value.entries.map(([key]) => key));
  const isPlain = keys.size === value.entries.length && !keys.has('__proto__');
  return isPlain && value.entries.every(([, item]) => isExact(item));
}

/** The database may keep the zeros of `12.50`. */
function isExactNumber(text: string): boolean {
  return String(Number(text)) === text;
}

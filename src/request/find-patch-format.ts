// Decides whether the body of a PATCH says how to change stored values (`beyond.md` §2.6).
import { firstHeader, type HttpRequest } from '../contract/http.ts';
import type { EnabledExtensions } from '../contract/extensions.ts';
import type { Dialect } from '../contract/dialect.ts';
import { listPatchTypes, parseMediaType } from '../media/media-type.ts';
import type { ApiRequest } from './api-request.ts';
import type { PatchFormat } from './payload/parse-patch.ts';

export interface PatchSettings {
  readonly dialect: Dialect;
  readonly extensions: EnabledExtensions;
}

/** @returns undefined if the body contains plain values */
export function findPatchFormat(
  { headers }: Pick<HttpRequest, 'headers'>,
  { action }: ApiRequest,
  { dialect, extensions }: PatchSettings,
): PatchFormat | undefined {
  if (action.kind !== 'mutateRelation' || action.mutation !== 'update' || !extensions.patch) return undefined;
  const contentType = firstHeader(headers, 'content-type');
  if (contentType === undefined) return undefined;
  const type = parseMediaType(contentType, dialect);
  if (type.kind !== 'other' || type.essence === undefined) return undefined;
  const { merge, operations } = listPatchTypes(dialect);
  if (type.essence === merge) return 'merge';
  return operations.includes(type.essence) ? 'operations' : undefined;
}

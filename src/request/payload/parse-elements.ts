// Parses the body of a PATCH whose elements find their rows by the columns in `match` (`beyond.md` §2.3).
import { fail, ok, type Result } from '../../contract/result.ts';
import { sortedNames } from '../../util/code-points.ts';
import type { Slices } from '../../util/slices.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { RequiredKeys } from './element-keys.ts';
import { parsePayload, type PayloadSettings } from './parse-payload.ts';
import type { PatchFormat } from './patch-members.ts';
import type { Elements, JsonPayload, Payload } from './payload.ts';
import { ElementRewriter } from './rewrite-elements.ts';

export interface ElementsRequest {
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
  /** Undefined if the body contains plain values. */
  readonly format: PatchFormat | undefined;
  readonly match: readonly string[];
  /** The `columns` parameter. */
  readonly columns: readonly string[] | undefined;
}

/** Fails like `parsePayload`. */
export function* parseElements(
  { contentType, body, format, match, columns }: ElementsRequest,
  settings: PayloadSettings,
): Slices<Result<Payload, ApiError>> {
  const rule = new RequiredKeys(match);
  const type = format === undefined ? contentType : undefined;
  const payload = yield* parsePayload(
    { contentType: type, body, target: 'relation', columns: undefined, rule },
    settings,
  );
  if (!payload.ok || payload.value.kind !== 'json') return payload;
  const { value } = payload;
  if (value.source !== 'json' && !rule.accept(new Set(value.keys)))
    return fail({ kind: 'invalidBody', message: rule.fault });
  // A JSON scalar counts as an empty list.
  if (format === undefined || rule.keys.length === 0) return ok(chosen({ ...value, ...plain(rule) }, match, columns));
  const { bytes, keys, operations } = yield* new ElementRewriter(body, format, rule.keys).rewrite();
  const operated = match.find((name) => !keys.common.has(name));
  if (operated !== undefined)
    return fail({ kind: 'invalidBody', message: `The column '${operated}' is listed in match and takes plain values` });
  return ok(
    chosen({ ...value, bytes, keys: keys.keys, elements: { common: keys.common, operations } }, match, columns),
  );
}

function plain({ keys, common }: RequiredKeys): Pick<ListedPayload, 'keys' | 'elements'> {
  return { keys, elements: { common, operations: new Map() } };
}

type ListedPayload = JsonPayload & { readonly elements: Elements };

/** Keeps the keys that `columns` lists, and those that find the rows. */
function chosen(payload: ListedPayload, match: readonly string[], columns: readonly string[] | undefined): JsonPayload {
  if (columns === undefined) return payload;
  const { keys, elements } = payload;
  const listed = new Set([...columns, ...match]);
  const kept = keys.filter((key) => listed.has(elements.operations.get(key)?.column ?? key));
  return { ...payload, keys: sortedNames([...kept, ...columns]) };
}

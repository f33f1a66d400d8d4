// Parses the body of a batch. Fails with the first malformed request, or with the first reference that cannot be resolved
// whatever the responses are (`beyond.md` §2.1).
import type { Dialect } from '../../contract/dialect.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Slices } from '../../util/slices.ts';
import { findJsonFault } from '../payload/json-fault.ts';
import { isNestedDeeper, OPEN_BRACE, OPEN_BRACKET, scanContainer, skipWhitespace } from '../payload/json-scanner.ts';
import { tooDeep } from '../payload/payload-errors.ts';
import {
  type BatchFault,
  type BatchRequest,
  describeReference,
  type Reference,
  type Template,
  unresolvable,
} from './batch.ts';
import { listElements, type Span } from '../payload/json-text.ts';
import { parseTarget } from './parse-target.ts';
import { type ReadRequest, readRequest } from './read-request.ts';
import { scanReferences } from './scan-references.ts';

export interface BatchSettings {
  readonly dialect: Dialect;
  readonly maxJsonDepth: number;
  readonly batchMaxRequests: number;
}

/** Levels of the batch around the body of a request. */
const LEVELS_AROUND = 2;

export function* parseBatch(
  text: Uint8Array,
  settings: BatchSettings,
): Slices<Result<readonly BatchRequest[], BatchFault>> {
  const error = yield* checkText(text, settings);
  if (error !== undefined) return fail({ error });
  const requests: BatchRequest[] = [];
  const ids = new Map<string, number>();
  for (const span of listElements(text, skipWhitespace(text, 0))) {
    const index = requests.length;
    if (index === settings.batchMaxRequests) return fail({ error: tooMany(settings.batchMaxRequests) });
    const read = readRequest(text, span, settings.dialect);
    if (!read.ok)
      return fail({
        error: invalid(`Request ${index} of the batch ${read.error.problem}`),
        request: index,
        id: read.error.id,
      });
    const { id } = read.value;
    if (id !== undefined && ids.has(id))
      return fail({ error: invalid(`Request ${index} of the batch repeats the id "${id}"`), request: index, id });
    const parsed = yield* parseTemplates(text, read.value, { index, ids });
    if (!parsed.ok) return fail({ error: parsed.error, request: index, id });
    requests.push(parsed.value);
    if (id !== undefined) ids.set(id, index);
  }
  return requests.length === 0 ? fail({ error: invalid('The batch contains no request') }) : ok(requests);
}

function* checkText(text: Uint8Array, { dialect, maxJsonDepth }: BatchSettings): Slices<ApiError | undefined> {
  if (yield* isNestedDeeper(text, maxJsonDepth + LEVELS_AROUND)) return tooDeep(maxJsonDepth);
  const start = skipWhitespace(text, 0);
  const end =
    text[start] === OPEN_BRACKET || text[start] === OPEN_BRACE ? yield* scanContainer(text, start, Infinity) : -1;
  if (end >= 0 && skipWhitespace(text, end) === text.length)
    return text[start] === OPEN_BRACKET ? undefined : invalid('A batch is an array of requests');
  const place = dialect.hasHints ? yield* findJsonFault(text) : undefined;
  return { kind: 'invalidBody', message: 'Empty or invalid json', place };
}

function invalid(message: string): ApiError {
  return { kind: 'invalidBody', message };
}

function tooMany(limit: number): ApiError {
  return invalid(`A batch contains up to ${limit} requests (batch-max-requests)`);
}

interface RequestPlace {
  readonly index: number;
  /** Indexes of the earlier requests. */
  readonly ids: ReadonlyMap<string, number>;
}

function* parseTemplates(
  text: Uint8Array,
  { body, target, ...rest }: ReadRequest,
  { index, ids }: RequestPlace,
): Slices<Result<BatchRequest, ApiError>> {
  const parsed = parseTarget(target, (id) => ids.get(id));
  if (!parsed.ok) {
    const { text: reference, reason } = parsed.error;
    const details =
      reason === 'id'
        ? UNKNOWN_ID
        : 'In a path, a reference is the whole value of an eq filter or one quoted element of an in list';
    return fail(unresolvable(reference, index, details));
  }
  if (body === undefined) return ok({ index, ...rest, target: parsed.value, body });
  const bodyTemplate = yield* parseBody(text.subarray(body.start, body.end), { index, ids });
  return bodyTemplate.ok ? ok({ index, ...rest, target: parsed.value, body: bodyTemplate.value }) : bodyTemplate;
}

const UNKNOWN_ID = 'No earlier request of the batch has this id';

function* parseBody(
  text: Uint8Array,
  { index, ids }: RequestPlace,
): Slices<Result<Template<Uint8Array, Reference>, ApiError>> {
  const parts: (Uint8Array | Reference)[] = [];
  let at = 0;
  for (const found of yield* scanReferences(text)) {
    parts.push(text.subarray(at, found.start));
    at = found.end;
    if (found.kind === 'literal') parts.push(slice(text, found.value));
    else {
      const { from, at: pointer } = found;
      if (typeof from !== 'string' || typeof pointer !== 'string')
        return fail(
          unresolvable(new TextDecoder().decode(slice(text, found)), index, 'The id and the pointer are strings'),
        );
      const request = ids.get(from);
      if (request === undefined) return fail(unresolvable(describeReference({ id: from, pointer }), index, UNKNOWN_ID));
      parts.push({ request, id: from, pointer });
    }
  }
  parts.push(text.subarray(at));
  return ok(parts);
}

function slice(text: Uint8Array, { start, end }: Span): Uint8Array {
  return text.subarray(start, end);
}

// Parses the body of a batch. Fails with the first malformed request, or with the first reference that cannot be resolved
// whatever the responses are (`beyond.md` §2.1).
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import { classifyParameters } from '../../../request/query/classify-parameters.ts';
import { splitQuery } from '../../../request/query/split-query.ts';
import type { Slices } from '../../../util/slices.ts';
import { findJsonFault } from '../../../request/payload/json-fault.ts';
import {
  CLOSE_BRACKET,
  isNestedDeeper,
  OPEN_BRACE,
  OPEN_BRACKET,
  scanContainer,
  skipWhitespace,
} from '../../../request/payload/json-scanner.ts';
import { quoteStart, scanAny, skipComma, type Span } from '../../../request/payload/json-text.ts';
import { tooDeep } from '../../../request/payload/payload-errors.ts';
import { urlTooLong } from '../../../request/query/query-limits.ts';
import {
  type Batch,
  type BatchFault,
  type BatchRequest,
  type BodyTemplate,
  describeReference,
  type PathReference,
  type Reference,
  type TargetTemplate,
  unresolvable,
} from './batch.ts';
import { MAX_POINTER_TOKENS, type PointerRoom, PointerTree } from './pointer-tree.ts';
import { type ReadRequest, readRequest, type RequestRules } from './read-request.ts';
import { type FoundObject, MAX_REFERENCE_BYTES, scanReferences } from './scan-references.ts';

export interface BatchSettings extends RequestRules {
  readonly maxJsonDepth: number;
  readonly maxUrlLength: number;
  readonly batchMaxRequests: number;
}

/** Levels of the batch around the body of a request. */
const LEVELS_AROUND = 2;

export function* parseBatch(text: Uint8Array, settings: BatchSettings): Slices<Result<Batch, BatchFault>> {
  const error = yield* checkText(text, settings);
  if (error !== undefined) return fail({ error });
  const draft: Draft = { requests: [], ids: new Map(), pointers: new Map(), room: { left: MAX_POINTER_TOKENS } };
  const { requests } = draft;
  for (let at = skipWhitespace(text, skipWhitespace(text, 0) + 1); text[at] !== CLOSE_BRACKET;) {
    if (requests.length === settings.batchMaxRequests) return fail({ error: tooMany(settings.batchMaxRequests) });
    const parsed = yield* parseRequest(text, at, { draft, settings });
    if (!parsed.ok) return parsed;
    requests.push(parsed.value);
    at = skipComma(text, yield* scanAny(text, at));
    yield;
  }
  return requests.length === 0 ? fail({ error: invalid('The batch contains no request') }) : ok(draft);
}

/** The requests parsed so far. */
interface Draft extends Batch {
  readonly requests: BatchRequest[];
  /** Indexes of the requests. */
  readonly ids: Map<string, number>;
  readonly pointers: Map<number, PointerTree>;
  readonly room: PointerRoom;
}

interface Parsing {
  readonly draft: Draft;
  readonly settings: BatchSettings;
}

function* parseRequest(
  text: Uint8Array,
  start: number,
  { draft, settings }: Parsing,
): Slices<Result<BatchRequest, BatchFault>> {
  const { ids } = draft;
  const request = draft.requests.length;
  const read = yield* readRequest(text, start, settings);
  if (!read.ok) {
    const { id, problem, hint } = read.error;
    return fail({ error: { ...invalid(`Request ${request} of the batch ${problem}`), hint }, request, id });
  }
  const { id, target } = read.value;
  const refuse = (error: ApiError): Result<never, BatchFault> => fail({ error, request, id });
  if (id !== undefined && ids.has(id)) return refuse(invalid(`Request ${request} of the batch repeats the id "${id}"`));
  if (target.length > settings.maxUrlLength) return refuse(urlTooLong(settings.maxUrlLength));
  const parsed = yield* parseTemplates(text, read.value, draft);
  if (!parsed.ok) return refuse(parsed.error);
  if (id !== undefined) ids.set(id, request);
  return parsed;
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

function invalid(message: string): Extract<ApiError, { kind: 'invalidBody' }> {
  return { kind: 'invalidBody', message };
}

function tooMany(limit: number): ApiError {
  return invalid(`A batch contains up to ${limit} requests (batch-max-requests)`);
}

function* parseTemplates(
  text: Uint8Array,
  { body, target, ...rest }: ReadRequest,
  draft: Draft,
): Slices<Result<BatchRequest, ApiError>> {
  const index = draft.requests.length;
  const parsed = parseTarget(target, (id) => draft.ids.get(id));
  if (!parsed.ok) {
    const { text: reference, reason } = parsed.error;
    return fail(unresolvable(reference, index, reason === 'id' ? UNKNOWN_ID : MISPLACED));
  }
  const template = body && (yield* parseBody(text.subarray(body.start, body.end), draft));
  if (template?.ok === false) return template;
  const request = { index, ...rest, target: parsed.value, body: template?.value };
  const latestReference = yield* addPointers(request, draft);
  if (latestReference === 'tooMany') return fail(invalid(TOO_MANY_STEPS));
  return ok({ ...request, latestReference });
}

const UNKNOWN_ID = 'No earlier request of the batch has this id';
const MISPLACED = 'In a path, a reference is the whole value of an eq filter or one quoted element of an in list';
const TOO_MANY_STEPS = `The pointers of a batch have up to ${MAX_POINTER_TOKENS} different steps together`;
const REFERENCES_PER_SLICE = 64;

function* parseBody(text: Uint8Array, { requests, ids }: Draft): Slices<Result<BodyTemplate, ApiError>> {
  const index = requests.length;
  const found = yield* scanReferences(text);
  if (found.length === 0) return ok({ text, parts: undefined });
  const parts: (Span | Reference)[] = [];
  let keptUpTo = 0;
  for (const [position, object] of found.entries()) {
    parts.push({ start: keptUpTo, end: object.start });
    keptUpTo = object.end;
    if (object.kind === 'literal') parts.push(object.value);
    else {
      const reference = resolveReference(object, text, { index, ids });
      if (!reference.ok) return reference;
      parts.push(reference.value);
    }
    if (position % REFERENCES_PER_SLICE === 0) yield;
  }
  parts.push({ start: keptUpTo, end: text.length });
  return ok({ text, parts });
}

type FoundReference = Extract<FoundObject, { kind: 'reference' }>;

function resolveReference(
  found: FoundReference,
  text: Uint8Array,
  { index, ids }: { readonly index: number; readonly ids: ReadonlyMap<string, number> },
): Result<Reference, ApiError> {
  const { from: id, at: pointer } = found;
  if (id === undefined || pointer === undefined)
    return fail(unresolvable(quoteStart(text, found, MAX_QUOTED_BYTES), index, NOT_STRINGS));
  const request = ids.get(id);
  if (request === undefined) return fail(unresolvable(describeReference({ id, pointer }), index, UNKNOWN_ID));
  return ok({ request, id, pointer });
}

const NOT_STRINGS = `The id and the pointer are strings of up to ${MAX_REFERENCE_BYTES} bytes`;
const MAX_QUOTED_BYTES = 1000;

/** @returns the index of the latest request that is referred to */
function* addPointers(
  { target, body }: { readonly target: TargetTemplate; readonly body: BodyTemplate | undefined },
  { pointers, room }: Draft,
): Slices<number | 'tooMany'> {
  let latest = -1;
  let count = 0;
  for (const parts of [target, body?.parts ?? []]) {
    for (const part of parts) {
      if (typeof part === 'string' || !('pointer' in part)) continue;
      const tree = pointers.get(part.request) ?? new PointerTree(room);
      pointers.set(part.request, tree);
      if (!tree.add(part.pointer)) return 'tooMany';
      latest = Math.max(latest, part.request);
      count += 1;
      if (count % REFERENCES_PER_SLICE === 0) yield;
    }
  }
  return latest;
}

/** `{id#pointer}`. A path that contains no reference has no raw `#`. */
const REFERENCE = /\{([^{}#]*)#([^{}]*)\}/gu;
/** Stands for a reference in decoded text. */
const MARK = '\0';
const WHOLE_VALUE = /^(?:not\.)?eq\.\0$/u;
const LIST_ELEMENTS =
  /^(?:not\.)?in\.\((?:"\0"|"(?:[^"\\\0]|\\[^\0])*"|[^"\0,]*)(?:,(?:"\0"|"(?:[^"\\\0]|\\[^\0])*"|[^"\0,]*))*\)$/u;

interface MisplacedReference {
  readonly text: string;
  readonly reason: 'place' | 'id';
}

/**
 * Parses the path of a request in a batch. A reference is data: it may be the whole value of an `eq` filter or one
 * quoted element of an `in` list, and nothing else (`beyond.md` §2.1).
 *
 * @param findRequest returns the index of the earlier request with the id
 */
export function parseTarget(
  target: string,
  findRequest: (id: string) => number | undefined,
): Result<TargetTemplate, MisplacedReference> {
  if (!target.includes('#')) return ok([target]);
  const queryAt = target.indexOf('?') + 1;
  const pieces = queryAt === 0 ? [target] : [target.slice(0, queryAt), ...splitAfterAmpersands(target.slice(queryAt))];
  const parts: (string | PathReference)[] = [];
  for (const [index, piece] of pieces.entries()) {
    const references = [...piece.matchAll(REFERENCE)];
    const place = references.length === 0 ? 'value' : index === 0 ? undefined : findPlace(piece);
    let at = 0;
    for (const { 0: text, 1: id = '', 2: pointer = '', index: start } of references) {
      if (place === undefined) return fail({ text, reason: 'place' });
      const request = findRequest(id);
      if (request === undefined) return fail({ text, reason: 'id' });
      parts.push(piece.slice(at, start), { request, id, pointer, place });
      at = start + text.length;
    }
    parts.push(piece.slice(at));
  }
  return ok(parts);
}

function splitAfterAmpersands(query: string): readonly string[] {
  return query.split(/(?<=&)/u);
}

/** @returns undefined if the references stand elsewhere */
function findPlace(piece: string): PathReference['place'] | undefined {
  const raw = piece.endsWith('&') ? piece.slice(0, -1) : piece;
  if (raw.includes(MARK) || /%00/u.test(raw)) return undefined;
  const [parameter] = classifyParameters(splitQuery(raw.replaceAll(REFERENCE, '%00'))).filters;
  if (parameter === undefined || parameter.name.includes(MARK)) return undefined;
  if (WHOLE_VALUE.test(parameter.value)) return 'value';
  return LIST_ELEMENTS.test(parameter.value) ? 'element' : undefined;
}

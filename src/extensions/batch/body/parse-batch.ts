// Parses the body of a batch. Fails with the first malformed request, or with the first reference that cannot be resolved
// whatever the responses are (`beyond.md` §2.1).
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import { classifyParameters } from '../../../request/query/classify-parameters.ts';
import { splitQuery } from '../../../request/query/split-query.ts';
import type { Slices } from '../../../util/slices.ts';
import { isBatchType } from '../../../request/is-batch.ts';
import { quoteStart, type Span } from '../../../request/payload/json-text.ts';
import { type PartFault, type PartListRules, readPartList } from '../../../request/part-list.ts';
import type { PartProblem, ReadPart } from '../../../request/read-part.ts';
import {
  type Batch,
  type BatchRequest,
  type BodyTemplate,
  describeReference,
  type PathReference,
  type Reference,
  type TargetTemplate,
  unresolvable,
} from './batch.ts';
import { MAX_POINTER_TOKENS, type PointerRoom, PointerTree } from './pointer-tree.ts';
import { type FoundObject, MAX_REFERENCE_BYTES, scanReferences } from './scan-references.ts';

export type BatchSettings = Omit<PartListRules, 'noun' | 'members' | 'defaultMethod' | 'findFault'>;

/** The requests parsed so far. */
interface Draft extends Batch {
  readonly requests: BatchRequest[];
  /** Indexes of the requests. */
  readonly ids: Map<string, number>;
  readonly pointers: Map<number, PointerTree>;
  readonly room: PointerRoom;
}

export function* parseBatch(text: Uint8Array, settings: BatchSettings): Slices<Result<Batch, PartFault>> {
  const draft: Draft = { requests: [], ids: new Map(), pointers: new Map(), room: { left: MAX_POINTER_TOKENS } };
  const rules: PartListRules = {
    ...settings,
    noun: 'batch',
    members: ['id', 'method', 'path', 'headers', 'body'],
    defaultMethod: undefined,
    findFault: (part) => findFault(part, settings),
  };
  const requests = yield* readPartList(text, rules, (part, index) => parseRequest(text, part, draft, index));
  return requests.ok ? ok(draft) : requests;
}

function findFault(
  { method, target, headers }: ReadPart,
  { dialect }: Pick<BatchSettings, 'dialect'>,
): PartProblem | undefined {
  if (method === 'OPTIONS') return { problem: 'is an OPTIONS request, which a batch cannot contain' };
  for (const [name, value] of headers) {
    if (name === 'accept' && /text\/event-stream/iu.test(value)) return { problem: 'asks for an event stream' };
    if (name === 'content-type' && method === 'POST' && /^\/(?:\?|$)/u.test(target) && isBatchType(value, dialect))
      return { problem: 'is a batch itself' };
  }
  return undefined;
}

function* parseRequest(
  text: Uint8Array,
  part: ReadPart,
  draft: Draft,
  index: number,
): Slices<Result<BatchRequest, ApiError>> {
  const parsed = yield* parseTemplates(text, part, draft);
  if (!parsed.ok) return parsed;
  if (part.id !== undefined) draft.ids.set(part.id, index);
  draft.requests.push(parsed.value);
  return parsed;
}

function* parseTemplates(
  text: Uint8Array,
  { id, method, headers, body, target }: ReadPart,
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
  const request = { index, id, method, headers, target: parsed.value, body: template?.value };
  const latestReference = yield* addPointers(request, draft);
  if (latestReference === 'tooMany') return fail({ kind: 'invalidBody', message: TOO_MANY_STEPS });
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
      const reference = resolveReference(object, text, index, ids);
      if (!reference.ok) return reference;
      parts.push(reference.value);
    }
    if (position % REFERENCES_PER_SLICE === 0) yield;
  }
  parts.push({ start: keptUpTo, end: text.length });
  return ok({ text, parts });
}

function resolveReference(
  found: Extract<FoundObject, { kind: 'reference' }>,
  text: Uint8Array,
  index: number,
  ids: ReadonlyMap<string, number>,
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

/**
 * Parses the path of a request in a batch. A reference is data: it may be the whole value of an `eq` filter or one
 * quoted element of an `in` list, and nothing else (`beyond.md` §2.1).
 *
 * @param findRequest returns the index of the earlier request with the id
 */
export function parseTarget(
  target: string,
  findRequest: (id: string) => number | undefined,
): Result<TargetTemplate, { readonly text: string; readonly reason: 'place' | 'id' }> {
  if (!target.includes('#')) return ok([target]);
  const queryAt = target.indexOf('?') + 1;
  const pieces = queryAt === 0 ? [target] : [target.slice(0, queryAt), ...target.slice(queryAt).split(/(?<=&)/u)];
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

/** @returns undefined if the references stand elsewhere */
function findPlace(piece: string): PathReference['place'] | undefined {
  const raw = piece.endsWith('&') ? piece.slice(0, -1) : piece;
  if (raw.includes(MARK) || /%00/u.test(raw)) return undefined;
  const [parameter] = classifyParameters(splitQuery(raw.replaceAll(REFERENCE, '%00'))).filters;
  if (parameter === undefined || parameter.name.includes(MARK)) return undefined;
  if (WHOLE_VALUE.test(parameter.value)) return 'value';
  return LIST_ELEMENTS.test(parameter.value) ? 'element' : undefined;
}

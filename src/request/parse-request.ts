// Parses an HttpRequest into an ApiRequest: the steps that need no schema cache, in the order in which their failures
// take precedence (`writing.md` §1 steps 4 to 9).
import { firstHeader, type HttpRequest, urlLengthOf } from '../contract/http.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { runSlicesWithPauses, type Slices } from '../util/slices.ts';
import type { ApiError } from '../errors/api-error.ts';
import { parseAccept, prefersHtml } from '../media/accept.ts';
import type { PayloadFormat } from '../media/formats.ts';
import type { Action, ApiRequest, PageRequest, WriteCondition } from './api-request.ts';
import type { Payload } from './payload/payload.ts';
import { parsePatch, type Patch } from './payload/parse-patch.ts';
import { findFormat, parseNested, parsePayload, type PayloadSettings } from './payload/parse-payload.ts';
import { parseElements } from './payload/parse-elements.ts';
import { findPatchFormat, type PatchSettings } from './find-patch-format.ts';
import { parsePreferences, type Preferences } from './preferences.ts';
import { resolveProfile } from './profile.ts';
import type { LongQuerySettings } from './long-query.ts';
import { parseQueryParams, type QueryOptions } from './query/parse-query-params.ts';
import { type QueryLimits, urlTooLong } from './query/query-limits.ts';
import type { QueryParams } from './query/query-params.ts';
import { hasPiecesBeyond, type Parameter, splitLongQuery } from './query/split-query.ts';
import type { RowBodies } from './row-bodies.ts';
import { resolveRange, type RowRange } from './range.ts';
import { parseTarget, type Target } from './target.ts';

export interface RequestSettings extends PayloadSettings, PatchSettings, LongQuerySettings {
  /** Exposed schemas; the first is the default. */
  readonly schemas: readonly string[];
  /** Name of the function that serves `/` (`db-root-spec`). */
  readonly rootRoutine: string | undefined;
  readonly isRootEnabled: boolean;
  readonly limits: QueryLimits;
  /** In characters. */
  readonly maxUrlLength: number;
  readonly seams: RequestSeams;
}

/** What extensions read of a request. */
export interface RequestSeams {
  /** Undefined: the rows of no body are read one by one. */
  readonly rowBodies?: RowBodies | undefined;
  /** @returns undefined if a read does not use pages */
  readonly readPages?: ((request: HttpRequest, source: PageSource) => PageRequest | undefined) | undefined;
  /** @returns under which condition a write may happen; undefined: under any */
  readonly readCondition?: ((request: HttpRequest) => WriteCondition | undefined) | undefined;
}

export interface PageSource extends Pick<RequestSettings, 'maxUrlLength'> {
  readonly query: QueryParams;
  readonly preferences: Preferences;
}

/** @param pause called between slices of work, because bodies may be long */
export async function parseRequest(
  request: HttpRequest,
  settings: RequestSettings,
  pause: () => Promise<unknown>,
): Promise<Result<ApiRequest, ApiError>> {
  const head = request.isLongQuery ? await parseLongHead(request, settings, pause) : parseHead(request, settings);
  if (!head.ok) return head;
  const readRows = settings.seams.rowBodies?.findReader(request, head.value);
  const payload =
    readRows !== undefined
      ? await readRows(pause)
      : await runSlicesWithPauses(readPayload(request, head.value, settings), pause);
  return payload.ok ? ok({ ...head.value, payload: payload.value }) : payload;
}

/** Splits the text of a long query with pauses; what it may contain can be parsed in one go. */
async function parseLongHead(
  request: HttpRequest,
  settings: RequestSettings,
  pause: () => Promise<unknown>,
): Promise<Result<ApiRequest, ApiError>> {
  if (hasPiecesBeyond(settings.limits.terms, request.rawQuery)) return parseHead(request, settings);
  const parameters = await runSlicesWithPauses(splitLongQuery(request.rawQuery), pause);
  await pause();
  const head = parseHead(request, settings, parameters);
  await pause();
  return head;
}

/**
 * Parses everything except the body.
 *
 * @param parameters those of the query string, if they are known
 */
export function parseHead(
  request: HttpRequest,
  settings: RequestSettings,
  parameters?: readonly Parameter[],
): Result<ApiRequest, ApiError> {
  if (!request.isLongQuery && urlLengthOf(request) > settings.maxUrlLength)
    return fail(urlTooLong(settings.maxUrlLength));
  const target = resolveTarget(request.path, settings);
  if (!target.ok) return target;
  const profile = resolveProfile(request.method, request.headers, settings.schemas);
  if (!profile.ok) return profile;
  const action = resolveAction(request, target.value, settings);
  if (!action.ok) return action;
  const { seams, maxUrlLength } = settings;
  const preferences = parsePreferences(request.headers, settings);
  const options = queryOptionsOf(action.value, preferences, settings);
  const query = parseQueryParams(parameters ?? request.rawQuery, { ...options, isLongQuery: request.isLongQuery });
  if (!query.ok) return query;
  const range = resolveTopRange(request, action.value, query.value);
  if (!range.ok) return range;
  return ok({
    action: action.value,
    profile: profile.value,
    query: query.value,
    preferences,
    range: range.value,
    condition: action.value.kind === 'mutateRelation' ? seams.readCondition?.(request) : undefined,
    paging:
      action.value.kind === 'readRelation'
        ? seams.readPages?.(request, { query: query.value, preferences, maxUrlLength })
        : undefined,
    accepted: parseAccept(firstHeader(request.headers, 'accept'), settings.dialect),
    isLongQuery: request.isLongQuery ?? false,
    payload: undefined,
  });
}

function queryOptionsOf(
  action: Action,
  preferences: Preferences,
  { limits, extensions, dialect, seams }: RequestSettings,
): QueryOptions {
  const isGetOnRoutine = action.kind === 'callRoutine' && action.method !== 'post';
  const isRead = action.kind === 'readRelation';
  const isWrite = action.kind === 'mutateRelation';
  return {
    arguments: isGetOnRoutine ? 'whereNotOperator' : 'none',
    limits,
    mayRecurse: extensions.recursive,
    hasScores: (isRead || action.kind === 'callRoutine') && extensions.score,
    hasPages: isRead && seams.readPages !== undefined,
    hasUpserts: isWrite && extensions.upsert,
    hasMatch: isWrite && action.mutation === 'update' && extensions.bulk,
    hasNested: mayNest(action, preferences),
    isTrailingTextIgnored: dialect.isTrailingTextIgnored,
    areBoundsLenient: dialect.areBoundsLenient,
  };
}

function resolveTarget(path: string, settings: RequestSettings): Result<Target, ApiError> {
  const target = parseTarget(path);
  if (!target.ok || target.value.kind !== 'root') return target;
  if (!settings.isRootEnabled) return fail({ kind: 'rootDisabled' });
  return settings.rootRoutine === undefined ? target : ok({ kind: 'routine', name: settings.rootRoutine });
}

const MUTATIONS = { POST: 'insert', PATCH: 'update', PUT: 'put', DELETE: 'delete' } as const;

function resolveAction(
  { method, headers }: HttpRequest,
  target: Target,
  { dialect }: RequestSettings,
): Result<Action, ApiError> {
  if (method === 'OPTIONS') return ok({ kind: 'listMethods', target });
  const isHead = method === 'HEAD';
  const isRead = isHead || method === 'GET';
  switch (target.kind) {
    case 'root':
      if (!isRead) return fail({ kind: 'methodUnsupported', method });
      if (dialect.hasHints && prefersHtml(firstHeader(headers, 'accept'))) return ok({ kind: 'showPage', isHead });
      return ok({ kind: 'describeSchema', isHead });
    case 'routine':
      if (isRead) return ok({ kind: 'callRoutine', routine: target.name, method: isHead ? 'head' : 'get' });
      if (method === 'POST') return ok({ kind: 'callRoutine', routine: target.name, method: 'post' });
      return fail({ kind: 'methodNotAllowedOnRoutine', method });
    case 'relation':
      if (isRead) return ok({ kind: 'readRelation', relation: target.name, isHead });
      if (method === 'POST' || method === 'PATCH' || method === 'PUT' || method === 'DELETE')
        return ok({ kind: 'mutateRelation', relation: target.name, mutation: MUTATIONS[method] });
      return fail({ kind: 'methodUnsupported', method });
  }
}

function resolveTopRange(request: HttpRequest, action: Action, query: QueryParams): Result<RowRange, ApiError> {
  const top = query.ranges.find(({ path }) => path.length === 0)?.value;
  const range = resolveRange(top, request.method === 'GET' ? request.headers : undefined);
  if (!range.ok || action.kind !== 'mutateRelation' || action.mutation !== 'put') return range;
  const isWindowed = range.value.limit !== undefined || range.value.offset > 0;
  return isWindowed ? fail({ kind: 'putLimits' }) : range;
}

/** Whether the body of the request is read. */
export function usesBody(action: Action): boolean {
  if (action.kind === 'callRoutine') return action.method === 'post';
  return action.kind === 'mutateRelation' && action.mutation !== 'delete';
}

/** @param head the parsed head of the same request */
export function* readPayload(
  request: HttpRequest,
  head: ApiRequest,
  settings: PayloadSettings & PatchSettings,
): Slices<Result<Payload | undefined, ApiError>> {
  const { action, query } = head;
  if (!usesBody(action)) return ok(undefined);
  const patch = findPatchFormat(request, head, settings);
  const { match, columns } = query;
  if (match !== undefined) {
    const contentType = firstHeader(request.headers, 'content-type');
    return yield* parseElements({ contentType, body: request.body, format: patch, match, columns }, settings);
  }
  if (patch !== undefined) return yield* readPatch(request.body, { format: patch, columns }, settings);
  if (mayNest(action, head.preferences) && findBodyFormat(request, settings) === 'json')
    return yield* parseNested(request.body, settings);
  return yield* parsePayload(
    {
      contentType: firstHeader(request.headers, 'content-type'),
      body: request.body,
      target: action.kind === 'callRoutine' ? 'routine' : 'relation',
      columns: action.kind === 'mutateRelation' && action.mutation === 'put' ? undefined : columns,
    },
    settings,
  );
}

/** Whether the objects of the body may contain related rows. */
function mayNest(action: Action, { nested }: Preferences): boolean {
  const isNesting = action.kind === 'mutateRelation' && (action.mutation === 'insert' || action.mutation === 'update');
  return nested !== undefined && isNesting;
}

function findBodyFormat({ headers }: HttpRequest, { dialect }: PayloadSettings): PayloadFormat | undefined {
  const format = findFormat({ contentType: firstHeader(headers, 'content-type'), target: 'relation' }, dialect);
  return format.ok ? format.value : undefined;
}

function* readPatch(body: Uint8Array, patch: Patch, settings: PayloadSettings): Slices<Result<Payload, ApiError>> {
  const whole = { contentType: undefined, body, target: 'relation', columns: undefined } as const;
  const payload = yield* parsePayload(whole, settings);
  if (!payload.ok || payload.value.kind !== 'json') return payload;
  return yield* parsePatch(payload.value, body, patch);
}

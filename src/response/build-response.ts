// Builds the response to an action from the outcome of its transaction (`writing.md` §20, `reading.md` §16).
import { type BodyStream, isStream } from '../contract/body-stream.ts';
import { isBodiless, type HeaderList, type Headers, type HttpResponse } from '../contract/http.ts';
import type { Product } from '../contract/product.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { DbOutcome, ScriptResult } from '../contract/transaction.ts';
import type { ApiError } from '../errors/api-error.ts';
import type {
  DescribeAction,
  InfoAction,
  PageAction,
  MutateAction,
  PagingPlan,
  PlannedRows,
  RenderedRead,
  RowsPlan,
} from '../plan/actions/action-plan.ts';
import { describeSchema, type DescriptionContext } from '../openapi/describe-schema.ts';
import type { PreparedRows } from '../sql/render-script.ts';
import { checkOutcome } from '../plan/actions/check-outcome.ts';
import { countPage, type Page, renderContentRange, statusOfPage } from './count-page.ts';
import { type FailedResponse, refuse } from './failed-response.ts';
import { overrideHeaders, parseOverrides } from './setting-headers.ts';
import { buildPageResponse, type PageContext } from './page-response.ts';
import { varyHeader, type VaryContext } from './vary.ts';
import { warningHeader } from './warning-header.ts';

const EMPTY = new Uint8Array();

export interface ResponseContext extends VaryContext {
  readonly product: Product;
  /** Prefix of the API's own paths; undefined: none. */
  readonly basePath: string | undefined;
  readonly seams: ResponseSeams;
}

/** What extensions add to responses. */
export interface ResponseSeams {
  /** @param ends `DbOutcome.location`, with what the statement returns for links */
  readonly linkPages?: ((paging: PagingPlan, linkQuery: string, ends: string | undefined) => HeaderList) | undefined;
}

export function buildResponse(
  prepared: PreparedRows,
  outcome: DbOutcome,
  context: ResponseContext,
): Result<HttpResponse, FailedResponse> {
  const built = buildRowsResponse(prepared, outcome, context);
  const { body } = outcome;
  if (isStream(body) && !(built.ok && built.value.body === body)) body.cancel();
  return built;
}

function buildRowsResponse(
  prepared: PreparedRows,
  outcome: DbOutcome,
  context: ResponseContext,
): Result<HttpResponse, FailedResponse> {
  const { action } = prepared;
  const violation = action.checks.length > 0 ? checkOutcome(action.checks, outcome) : undefined;
  if (violation !== undefined) return refuse(violation);
  const overrides = parseOverrides(outcome, context.dialect);
  if (!overrides.ok) return refuse(overrides.error);
  const page = countPage(action, outcome, context);
  const status = statusOf(action, outcome, page);
  const { total } = page;
  if (status === 416 && total !== undefined) {
    const error: ApiError = { kind: 'offsetBeyondTotal', offset: page.offset, total };
    const extra = beyondTotalHeaders(prepared, { outcome, page }, context);
    return fail({ error, headers: overrideHeaders(extra, overrides.value.headers), status: overrides.value.status });
  }
  const final = overrides.value.status ?? status;
  const own = ownHeaders(prepared, { outcome, page }, context);
  // No body, no headers that describe it (`writing.md` §15.3, §17).
  const all = final === 204 ? own.filter(([name]) => name !== 'Content-Type' && name !== 'Content-Profile') : own;
  const { legacyNames, ignoredText, preferenceHeaders } = action;
  if (legacyNames.length > 0 || ignoredText.length > 0) all.push(...warningHeader(action, context.product));
  all.push(...preferenceHeaders, varyHeader(context));
  const headers = overrideHeaders(all, overrides.value.headers);
  const body = isBodiless(final) || action.isHead ? undefined : bodyOf(action, outcome);
  const isVersioned = action.kind === 'read' && action.isVersioned && outcome.location !== undefined;
  return ok(
    isVersioned ? { status: final, headers, body, rowVersion: outcome.location } : { status: final, headers, body },
  );
}

function beyondTotalHeaders(prepared: PreparedRows, described: Described, context: ResponseContext): Headers {
  const { action } = prepared;
  const { page } = described;
  const headers = context.dialect.isRangeErrorPlain ? ownHeaders(prepared, described, context) : [];
  if (!context.dialect.isRangeErrorPlain) addRange(headers, { ...page, rows: 0 });
  headers.push(...action.preferenceHeaders, varyHeader(context));
  return headers;
}

/** Responds with an execution plan (`writing.md` §16). */
export function buildPlanResponse(action: RowsPlan, lines: readonly Uint8Array[], context: VaryContext): HttpResponse {
  const text = lines.map((line) => `${new TextDecoder().decode(line)}\n`).join('');
  return {
    status: 200,
    headers: [...bodyHeaders(action), varyHeader(context)],
    body: action.isHead ? undefined : new TextEncoder().encode(text),
  };
}

/** Responds with the API description (`operating.md` §12.1). @param result of the action's transaction */
export async function buildDescriptionResponse(
  action: DescribeAction,
  result: ScriptResult,
  context: DescriptionContext & VaryContext,
): Promise<HttpResponse> {
  const document = await describeSchema(action, result, context);
  const { contentType, contentProfile, isHead } = action;
  const profile: HeaderList = contentProfile === undefined ? [] : [['Content-Profile', contentProfile]];
  const headers = [['Content-Type', contentType] as const, ...profile, varyHeader(context)];
  return { status: 200, headers, body: isHead ? undefined : document };
}

export function buildInfoResponse(action: InfoAction | PageAction, context: PageContext): HttpResponse {
  if (action.kind === 'page') return buildPageResponse(action, context);
  const headers: HeaderList = [
    ['Allow', action.allow],
    ...(action.acceptQuery === undefined ? [] : [['Accept-Query', action.acceptQuery] as const]),
    ['Access-Control-Allow-Origin', '*'],
    varyHeader(context),
  ];
  return { status: 200, headers, body: EMPTY };
}

interface Described {
  readonly outcome: DbOutcome;
  readonly page: Page;
}

function statusOf(action: PlannedRows, outcome: DbOutcome, page: Page): number {
  switch (action.kind) {
    case 'read':
      return isPlaced(action) ? statusOfPage(page) : 200;
    case 'call':
      return action.routine.result.kind === 'void' ? 204 : statusOfPage(page);
    case 'mutate':
      return mutationStatus(action, outcome);
  }
}

/** Whether the place of the page is known as a number; not if a token leads to it. */
function isPlaced({ paging }: RenderedRead): boolean {
  return paging?.position === undefined;
}

/** Always a body, because the status may still change. */
function bodyOf(action: PlannedRows, { body }: DbOutcome): Uint8Array | BodyStream {
  const isEmpty =
    action.kind === 'mutate'
      ? action.returnPreference !== 'representation'
      : action.kind === 'call' && action.routine.result.kind === 'void';
  return isEmpty ? EMPTY : (body ?? EMPTY);
}

/** @returns a new list */
function ownHeaders(prepared: PreparedRows, described: Described, { seams }: ResponseContext): Headers {
  const { action } = prepared;
  const { page, outcome } = described;
  switch (action.kind) {
    case 'read': {
      const headers = bodyHeaders(action);
      addRange(headers, isPlaced(action) ? page : { ...page, rows: 0 });
      addContentLocation(headers, prepared, page);
      if (prepared.linkQuery !== undefined && action.paging !== undefined)
        headers.push(...(seams.linkPages?.(action.paging, prepared.linkQuery, outcome.location) ?? []));
      return headers;
    }
    case 'call': {
      const headers = action.routine.result.kind === 'void' ? [] : bodyHeaders(action);
      addRange(headers, page);
      return headers;
    }
    case 'mutate': {
      const headers = action.returnPreference === 'representation' ? bodyHeaders(action) : [];
      addMutationRange(headers, action, page);
      addLocation(headers, action, described);
      return headers;
    }
  }
}

function mutationStatus(action: MutateAction, { inserted }: DbOutcome): number {
  const isShown = action.returnPreference === 'representation';
  const resolution = action.conflict?.resolution ?? 'ignore';
  switch (action.mutation) {
    case 'insert':
      return resolution !== 'ignore' && (inserted ?? 0) === 0 ? 200 : 201;
    case 'put':
      return isShown ? ((inserted ?? 0) > 0 ? 201 : 200) : 204;
    case 'update':
    case 'delete':
      return isShown ? 200 : 204;
  }
}

/** Only PATCH reports the interval of its rows; PUT sends no range at all (`writing.md` §9.2). */
function addMutationRange(headers: Headers, { mutation }: MutateAction, page: Page): void {
  if (mutation === 'put') return;
  if (mutation === 'update') addRange(headers, page);
  else headers.push(...page.unit, ['Content-Range', `*/${page.total ?? '*'}`]);
}

/** Omits the header if neither rows nor total are known. */
function addRange(headers: Headers, page: Page): void {
  if (page.rows !== undefined || page.total !== undefined)
    headers.push(...page.unit, ['Content-Range', renderContentRange(page)]);
}

/** @returns a new list */
export function bodyHeaders({ contentType, contentProfile }: RowsPlan): Headers {
  const type = ['Content-Type', contentType] as const;
  return contentProfile === undefined ? [type] : [type, ['Content-Profile', contentProfile]];
}

/** In ASCII characters. Clients reject long headers, Node.js at 16 kB in total (`reading.md` §2.4). */
const LONGEST_CONTENT_LOCATION = 4096;

function addContentLocation(headers: Headers, { contentLocation }: PreparedRows, { basePath }: Page): void {
  if (contentLocation === undefined) return;
  const location = basePath + contentLocation;
  if (location.length <= LONGEST_CONTENT_LOCATION) headers.push(['Content-Location', location]);
}

function addLocation(headers: Headers, action: MutateAction, { outcome: { location }, page }: Described): void {
  if (location === undefined || action.locationKey.length === 0) return;
  const values: unknown = JSON.parse(location);
  const texts = Array.isArray(values) ? values.map((value) => (typeof value === 'string' ? value : null)) : [];
  headers.push(['Location', page.basePath + renderLocation(action.relation.name.name, action.locationKey, texts)]);
}

/** @param values texts of the key columns, in the same order; null for SQL NULL */
function renderLocation(relation: string, columns: readonly string[], values: readonly (string | null)[]): string {
  const pairs = columns.map((column, index) => {
    const value = values[index] ?? null;
    return `${encodeStrict(column)}=${value === null ? 'is.null' : `eq.${encodeStrict(value)}`}`;
  });
  return `/${relation}?${pairs.join('&')}`;
}

/** Escapes everything except ASCII letters, digits and `-_.~`. */
function encodeStrict(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

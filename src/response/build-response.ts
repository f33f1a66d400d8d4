// Builds the response to an action from the outcome of its transaction (`writing.md` §20, `reading.md` §16).
import { type BodyStream, isStream } from '../contract/body-stream.ts';
import { isBodiless, type HeaderList, type HttpResponse } from '../contract/http.ts';
import type { Product } from '../contract/product.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import type { DbOutcome } from '../contract/transaction.ts';
import type { ApiError } from '../errors/api-error.ts';
import type {
  CallAction,
  InfoAction,
  PageAction,
  MutateAction,
  PlannedRows,
  RenderedRead,
  RowsPlan,
} from '../plan/actions/action-plan.ts';
import { checkOutcome } from '../plan/actions/check-outcome.ts';
import { renderContentRange, statusOfPage } from './content-range.ts';
import { countPage, type Page } from './count-page.ts';
import { type FailedResponse, refuse } from './failed-response.ts';
import { renderLocation } from './location.ts';
import { type PositionContext, positionHeaders } from './position-headers.ts';
import { overrideHeaders, parseOverrides } from './setting-headers.ts';
import { linkHeader } from './page-links.ts';
import { buildPageResponse, type PageContext } from './page-response.ts';
import { varyHeader, type VaryContext } from './vary.ts';
import { warningHeader } from './warning-header.ts';

const EMPTY = new Uint8Array();

export interface ResponseContext extends VaryContext, PositionContext {
  readonly product: Product;
  readonly config: VaryContext['config'] & PositionContext['config'];
  /** Prefix of the API's own paths; undefined: none. */
  readonly basePath: string | undefined;
}

export function buildResponse(
  action: PlannedRows,
  outcome: DbOutcome,
  context: ResponseContext,
): Result<HttpResponse, FailedResponse> {
  const built = buildRowsResponse(action, outcome, context);
  const { body } = outcome;
  const isSent = built.ok && built.value.body === body;
  if (isStream(body) && !isSent) body.cancel();
  return built;
}

function buildRowsResponse(
  action: PlannedRows,
  outcome: DbOutcome,
  context: ResponseContext,
): Result<HttpResponse, FailedResponse> {
  const { product, dialect } = context;
  const violation = action.access === 'read only' ? checkOutcome(action.checks, outcome) : undefined;
  if (violation !== undefined) return refuse(violation);
  const overrides = parseOverrides(outcome, dialect);
  if (!overrides.ok) return refuse(overrides.error);
  const page = countPage(action, outcome, context);
  const { status, headers, body } = describe(action, outcome, page);
  const { total } = page;
  if (status === 416 && total !== undefined) {
    const error: ApiError = { kind: 'offsetBeyondTotal', offset: page.offset, total };
    const own = dialect.isRangeErrorPlain ? headers : rangeHeaders({ ...page, rows: 0 });
    const extra = [...own, ...appliedHeader(action), varyHeader(context)];
    return fail({ error, headers: overrideHeaders(extra, overrides.value.headers), status: overrides.value.status });
  }
  const final = overrides.value.status ?? status;
  const own = final === 204 ? withoutBodyHeaders(headers) : headers;
  const all = [...own, ...warningHeader(action, product), ...appliedHeader(action), varyHeader(context)];
  return ok({
    status: final,
    headers: [...overrideHeaders(all, overrides.value.headers), ...positionHeaders(action, outcome, context)],
    body: isBodiless(final) || action.isHead ? undefined : body,
    ...rowVersion(action, outcome),
  });
}

function rowVersion(action: PlannedRows, { location }: DbOutcome): Pick<HttpResponse, 'rowVersion'> | undefined {
  const isVersioned = action.kind === 'read' && action.isVersioned;
  return isVersioned && location !== undefined ? { rowVersion: location } : undefined;
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

/** The response before the database overrides it. The body is always set, because the status may still change. */
interface Described {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Uint8Array | BodyStream;
}

function describe(action: PlannedRows, outcome: DbOutcome, page: Page): Described {
  switch (action.kind) {
    case 'read':
      return describeRead(action, outcome, page);
    case 'call':
      return describeCall(action, outcome, page);
    case 'mutate':
      return describeMutation(action, outcome, page);
  }
}

function describeRead(action: RenderedRead, { body, location }: DbOutcome, page: Page): Described {
  // The place of a page that a token leads to is not known as a number.
  const isPlaced = action.paging?.position === undefined;
  const headers = [
    ...bodyHeaders(action),
    ...rangeHeaders(isPlaced ? page : { ...page, rows: 0 }),
    ...contentLocationHeader(action, page),
    ...linkHeader(action.paging, location),
  ];
  return { status: isPlaced ? statusOfPage(page) : 200, headers, body: body ?? EMPTY };
}

function describeCall(action: CallAction, { body }: DbOutcome, page: Page): Described {
  if (action.routine.result.kind === 'void') return { status: 204, headers: rangeHeaders(page), body: EMPTY };
  return {
    status: statusOfPage(page),
    headers: [...bodyHeaders(action), ...rangeHeaders(page)],
    body: body ?? EMPTY,
  };
}

function describeMutation(action: MutateAction, outcome: DbOutcome, page: Page): Described {
  const isShown = action.returnPreference === 'representation';
  const headers = [
    ...(isShown ? bodyHeaders(action) : []),
    ...mutationRange(action, page),
    ...locationHeader(action, outcome, page),
  ];
  return { status: mutationStatus(action, outcome), headers, body: isShown ? (outcome.body ?? EMPTY) : EMPTY };
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
function mutationRange({ mutation }: MutateAction, page: Page): HeaderList {
  if (mutation === 'put') return [];
  if (mutation === 'update') return rangeHeaders(page);
  return [...page.unit, ['Content-Range', `*/${page.total ?? '*'}`]];
}

/** Omits the header if neither rows nor total are known. */
function rangeHeaders(page: Page): HeaderList {
  if (page.rows === undefined && page.total === undefined) return [];
  return [...page.unit, ['Content-Range', renderContentRange(page)]];
}

export function bodyHeaders({ contentType, contentProfile }: RowsPlan): HeaderList {
  const type = ['Content-Type', contentType] as const;
  return contentProfile === undefined ? [type] : [type, ['Content-Profile', contentProfile]];
}

/** Drops headers that describe the body (`writing.md` §15.3, §17). */
function withoutBodyHeaders(headers: HeaderList): HeaderList {
  return headers.filter(([name]) => name !== 'Content-Type' && name !== 'Content-Profile');
}

/** In ASCII characters. Clients reject long headers, Node.js at 16 kB in total (`reading.md` §2.4). */
const LONGEST_CONTENT_LOCATION = 4096;

function contentLocationHeader({ contentLocation }: RenderedRead, { basePath }: Page): HeaderList {
  if (contentLocation === undefined) return [];
  const location = basePath + contentLocation;
  return location.length > LONGEST_CONTENT_LOCATION ? [] : [['Content-Location', location]];
}

export function appliedHeader({ preferencesApplied }: RowsPlan): HeaderList {
  return preferencesApplied === undefined ? [] : [['Preference-Applied', preferencesApplied]];
}

function locationHeader(action: MutateAction, { location }: DbOutcome, { basePath }: Page): HeaderList {
  if (location === undefined || action.locationKey.length === 0) return [];
  const values: unknown = JSON.parse(location);
  const texts = Array.isArray(values) ? values.map((value) => (typeof value === 'string' ? value : null)) : [];
  return [['Location', basePath + renderLocation(action.relation.name.name, action.locationKey, texts)]];
}

// A snapshot of the server's state that stays constant during a request, and the parts of it that each stage needs.
import type { AuthOptions, Identity } from '../auth/authenticate.ts';
import type { TokenCookie } from '../auth/cookie-token.ts';
import type { SchemaCache } from '../catalog/schema-cache.ts';
import type { AppConfig } from '../config/table/app-config.ts';
import type { VisibleNames } from '../catalog/visible-names.ts';
import type { RoleSettings } from '../config/resolve/role-settings.ts';
import type { Dialect } from '../contract/dialect.ts';
import type { ExplorerFiles } from '../contract/explorer-file.ts';
import {
  firstHeader,
  type HeaderList,
  type HeaderTexts,
  headerTextsOf,
  type HttpRequest,
  type HttpResponse,
  isSendable,
  listCookies,
} from '../contract/http.ts';
import type { Result } from '../contract/result.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { Answer, FailedResponse } from '../response/failed-response.ts';
import type { Product } from '../contract/product.ts';
import type { ScriptResult, ScriptResults } from '../contract/transaction.ts';
import type { ErrorContext } from '../errors/render-error.ts';
import type { PhaseClock } from '../observe/phases.ts';
import type { RequestTrace, RunScript } from '../observe/request-trace.ts';
import type { DescriptionSeams } from '../openapi/describe-schema.ts';
import type { DescribeAction, PlannedRows } from '../plan/actions/action-plan.ts';
import type { PlanSeams } from '../plan/actions/plan-context.ts';
import type { DeniedCall } from '../plan/check-target.ts';
import type { PlanCache, Planning } from '../prepare/plan-cache.ts';
import type { RequestSeams, RequestSettings } from '../request/parse-request.ts';
import type { ResponseSeams } from '../response/build-response.ts';
import type { CancelSignal } from '../contract/cancel-signal.ts';
import type { EdgeSettings } from '../response/edge-headers.ts';
import type { EventSubject } from '../plan/negotiation/negotiate.ts';
import type { LegacyName } from '../plan/levels/select-tree.ts';
import type {
  CompleteScript,
  CompleteSegment,
  PreparedRows,
  RenderBudget,
  ScriptContext,
  SqlSeams,
} from '../sql/render-script.ts';
import type { TransactionScript } from '../sql/transaction-script.ts';

export interface RequestContext {
  readonly product: Product;
  readonly dialect: Dialect;
  readonly config: AppConfig;
  /** Undefined until the first successful load. */
  readonly cache: SchemaCache | undefined;
  /** Belongs to this configuration and cache, like `planning`. */
  readonly plans: PlanCache;
  /** Undefined if there is no cache. */
  readonly planning: Planning | undefined;
  /** What extensions add to requests under this configuration. */
  readonly seams: Seams;
  /** Derived from the configuration once, like `edge`, because every request needs both. */
  readonly settings: RequestSettings;
  readonly edge: EdgeSettings;
  readonly auth: AuthOptions;
  /** By role name. */
  readonly roleSettings: ReadonlyMap<string, RoleSettings>;
  /** Runs one transaction on a connection of the pool. */
  readonly runScript: RunScript;
  /** Returns the objects that a role may use. Queries the database; use it for errors only. */
  readonly findVisibleNames: (role: string) => Promise<VisibleNames>;
  /** Aborts when the client disconnects. */
  readonly signal: CancelSignal | undefined;
  /** Seconds until the next planned reconnection. */
  readonly retryAfter: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number;
  /** SHA-256 of texts and bytes, in base64 unless an encoding is given. */
  readonly hash: (parts: readonly (string | Uint8Array)[], encoding?: 'base64url') => string;
  /** Yields to other work during a long computation. */
  readonly pause: () => Promise<unknown>;
  /** Undefined if the explorer is disabled. */
  readonly explorer: ExplorerFiles | undefined;
  /** From the request's `mount`; undefined if the request came through our own server. */
  readonly basePath: string | undefined;
  /** Absent if the request is not traced. */
  readonly trace?: RequestTrace | undefined;
}

/** An authenticated request on its way. */
export interface Work {
  /** A long query has become the GET that it means. */
  request: HttpRequest;
  readonly context: RequestContext;
  readonly planning: Planning;
  readonly identity: Identity;
  /** Undefined if nobody wants to know the timings. */
  readonly phases: PhaseClock | undefined;
  /** Set if the response must be known before the transaction ends. */
  hold: HoldResponse | undefined;
  /** The transaction and the deprecated names, for the log. */
  script: TransactionScript | undefined;
  legacyNames: readonly LegacyName[];
}

/** The places where a request meets the extensions. A member that no extension adds is not on the way. */
export interface Seams extends RequestSeams, PlanSeams, SqlSeams, ResponseSeams, DescriptionSeams {
  /**
   * Recognizes a request that the extension answers itself, by its head. Not called for a request sent as GET. Called
   * before a long body is read, and again with the body.
   */
  readonly findOwnTask?: FindOwnTask | undefined;
  /**
   * Decides whether the response of a write must be known before its transaction ends. Called before `findOwnTask`, but
   * not for a request sent as GET.
   */
  readonly hold?: ((work: Work) => Result<HoldResponse | undefined, ApiError>) | undefined;
  /** Adds the entity tag of a response, or responds to the tags of the request. */
  readonly tag?: ((response: HttpResponse, request: AnsweredRequest) => HttpResponse) | undefined;
  /** Corrects what the database reports, before it is explained. */
  readonly correctError?: ((error: ApiError) => ApiError) | undefined;
  /** Adds to errors what the client can do about them. */
  readonly hints?: Hints | undefined;
  /** Adds the other statements of a write that has parts. Called if the plan says so (`MutateAction.isDivided`). */
  readonly completeWrite?: CompleteWrite | undefined;
  /** @returns undefined if the role may spend anything */
  readonly limitCost?: ((role: string, settings: RoleSettings | undefined) => RenderBudget | undefined) | undefined;
  /** Makes streams of events of what actions return. */
  readonly events?: EventSeam | undefined;
  /** Decides where the script of a request runs, and what runs with it. */
  readonly completeScript?:
    | ((...script: [...Parameters<CompleteScript>, HttpRequest]) => TransactionScript)
    | undefined;
  readonly completeSegment?: CompleteSegment | undefined;
  /** Chooses plans by what is known of the sender; undefined: the usual ones. */
  readonly choosePlanning?: ((planning: Planning, identity: Identity) => Planning | undefined) | undefined;
  /** Returns the headers of a write whose log position was read after its commit (`TransactionScript.afterCommit`). */
  readonly headers?: FindHeaders | undefined;
  /** Whether the request has a key under which it can be repeated, or could have one. */
  readonly findKeyUse?: ((request: Pick<HttpRequest, 'method' | 'headers'>) => 'sent' | 'available') | undefined;
  /** Finds the trace of the request, which its transaction gets as a setting; empty if it has none. */
  readonly findTraceparent?: ((request: HttpRequest, trace: RequestTrace | undefined) => string) | undefined;
}

export interface EventSeam {
  /** What streams may report. */
  readonly subjects: ReadonlySet<EventSubject>;
  readonly answer: (prepared: PreparedRows, work: Work) => Promise<Answer>;
  /** Makes one stream of several reads. @param work of the list */
  readonly answerList: (reads: readonly [ListedRead, ...ListedRead[]], work: Work) => Promise<Answer>;
}

/** A read of a list. */
export interface ListedRead {
  readonly id: string;
  /** Id of the last event that the client has received; undefined if it is new. */
  readonly lastEventId: string | undefined;
  readonly work: Work;
  /** The read, or why it cannot be watched. */
  readonly prepared: Result<PreparedRows, ApiError>;
}

/** @param script that has run, @param result of its last segment */
export type FindHeaders = (
  script: TransactionScript,
  result: ScriptResult,
  context: Pick<RequestContext, 'basePath'>,
) => HeaderList;

export interface Hints {
  /** @param error why the request cannot be parsed */
  readonly explainSyntax: (error: ApiError, work: Work) => Promise<ApiError>;
  readonly explainRefusal: (
    error: ApiError,
    action: PlannedRows | DescribeAction,
    refused: AnsweredRequest,
  ) => Promise<ApiError>;
  /** Explains a refusal that is known before the call is planned. */
  readonly explainDeniedCall: (
    denied: Extract<ApiError, { kind: 'database' }>,
    call: DeniedCall,
    refused: AnsweredRequest,
  ) => Promise<ApiError>;
}

/** A request may be refused before its identity is known. */
export type AnsweredRequest = Pick<Work, 'request' | 'context'> & Partial<Pick<Work, 'identity'>>;

/** @returns the task that answers the request once its body has been read; undefined for any other request */
export type FindOwnTask = (head: Pick<HttpRequest, 'method' | 'path' | 'headers'>) => OwnTask | undefined;

/** Answers a request whose body is whole (`work.request.body`). A task that writes must apply `work.hold` itself. */
export type OwnTask = (work: Work) => Promise<Answer>;

/** @returns undefined for a write of one statement */
export type CompleteWrite = (
  prepared: PreparedRows,
  context: RequestContext,
) => Promise<Result<PreparedRows, ApiError>> | undefined;

/** Puts further segments around a script, in the same transaction. */
export type HoldResponse = (script: TransactionScript, respond: RespondHeld) => Result<HeldResponse, ApiError>;

/** Builds the response from the last results. Called before the commit. */
export type RespondHeld = (results: ScriptResults) => Promise<Result<HttpResponse, FailedResponse>>;

export interface HeldResponse {
  readonly script: TransactionScript;
  /** The response that was stored earlier, or the new one; undefined until either is known. */
  readonly response: HttpResponse | undefined;
  /** The failure of the new response, whose error ended the transaction. */
  readonly failure: FailedResponse | undefined;
}

export function tokenCookieOf(config: AppConfig): TokenCookie | undefined {
  const { jwtCookie: name, serverCorsAllowedOrigins: allowedOrigins, serverAllowedHosts: allowedHosts } = config;
  return name === undefined || !config.extensions.cookie ? undefined : { name, allowedOrigins, allowedHosts };
}

interface EdgeParts extends Pick<RequestContext, 'product' | 'config'> {
  readonly cookie: TokenCookie | undefined;
}

export function edgeSettingsOf({ product, config, cookie }: EdgeParts): EdgeSettings {
  const { serverTraceHeader: traceHeader } = config;
  return {
    server: ['Server', `${product.token}/${product.version}`],
    allowedOrigins: config.serverCorsAllowedOrigins,
    cookie,
    // A configured name that is not a valid header name would fail every response.
    traceHeader: traceHeader !== undefined && isSendable(traceHeader, '') ? traceHeader : undefined,
    hasQuery: config.extensions.query,
  };
}

export function errorContextOf(context: RequestContext, identity: Identity | undefined): ErrorContext {
  return {
    dialect: context.dialect,
    product: context.product,
    verbosity: context.config.clientErrorVerbosity,
    isAnonymous: identity?.isAnonymous ?? false,
    retryAfter: context.retryAfter(),
  };
}

type RequestSettingsParts = Pick<RequestContext, 'dialect' | 'config' | 'seams'>;

export function requestSettingsOf({ dialect, config, seams }: RequestSettingsParts): RequestSettings {
  return {
    dialect,
    schemas: config.dbSchemas,
    rootRoutine: config.dbRootSpec?.name,
    isRootEnabled: config.openapiMode !== 'disabled',
    limits: {
      extensions: config.extensions,
      hidesAggregates: !config.dbAggregatesEnabled,
      brackets: config.urlMaxBrackets,
      embedDepth: config.urlMaxEmbedDepth,
      embeds: config.urlMaxEmbeds,
      logicDepth: config.urlMaxLogicDepth,
      pathSteps: config.urlMaxPathSteps,
      selectItems: config.urlMaxSelectItems,
      terms: config.urlMaxTerms,
    },
    maxUrlLength: config.urlMaxLength,
    maxJsonDepth: config.serverMaxJsonDepth,
    extensions: config.extensions,
    maxBodySize: config.serverMaxBodySize,
    seams,
  };
}

type PlanningParts = Pick<RequestContext, 'settings' | 'dialect' | 'config' | 'seams'>;

export function planningOf(context: PlanningParts, cache: SchemaCache): Planning {
  return { settings: context.settings, context: planContextOf(context, cache) };
}

export function planContextOf(
  { dialect, config, seams }: Omit<PlanningParts, 'settings'>,
  cache: SchemaCache,
): Planning['context'] {
  return { dialect, config, cache, visible: undefined, events: seams.events?.subjects, seams };
}

export function scriptContextOf(request: HttpRequest, identity: Identity, context: RequestContext): ScriptContext {
  const { config, dialect, roleSettings, seams } = context;
  const { completeScript } = seams;
  const role = roleSettings.get(identity.role);
  const { headers, cookies } = settingsOf(request, context.auth.cookie?.name);
  return {
    dialect,
    role: identity.role,
    claims: identity.claimsText,
    method: request.isLongQuery ? 'QUERY' : request.method,
    path: request.path,
    headers,
    cookies,
    extraSearchPath: config.dbExtraSearchPath,
    appSettings: config.appSettings,
    traceparent: context.seams.findTraceparent?.(request, context.trace),
    preRequest: config.dbPreRequest,
    roleSettings: role?.settings ?? [],
    roleIsolation: role?.isolation,
    renderBudget: seams.limitCost?.(identity.role, role),
    isStreaming: config.extensions.stream,
    complete: completeScript && ((script, action) => completeScript(script, action, request)),
    completeSegment: seams.completeSegment,
  };
}

function settingsOf(request: HttpRequest, tokenCookie: string | undefined): NonNullable<HeaderTexts['settings']> {
  const texts = headerTextsOf(request);
  if (texts?.settings?.tokenCookie === tokenCookie && texts?.settings !== undefined) return texts.settings;
  const { headers } = request;
  const settings = { headers: renderHeaders(headers), cookies: renderCookies(headers, tokenCookie), tokenCookie };
  if (texts !== undefined) texts.settings = settings;
  return settings;
}

/** If a header is repeated, its last value wins. Cookies have a setting of their own. */
function renderHeaders(headers: HeaderList): string {
  const others: Map<string, string> = new Map();
  for (const [name, value] of headers) if (name !== 'cookie') others.set(name, value);
  return renderJsonObject(others);
}

function renderCookies(headers: HeaderList, tokenCookie: string | undefined): string {
  if (firstHeader(headers, 'cookie') === undefined) return '{}';
  const cookies = new Map(listCookies(headers));
  // User code needs the claims, not the token, which a log or a bug could give away.
  if (tokenCookie !== undefined) cookies.delete(tokenCookie);
  return renderJsonObject(cookies);
}

function renderJsonObject(members: ReadonlyMap<string, string>): string {
  let text = '';
  for (const [name, value] of members)
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(value)}`;
  return `{${text}}`;
}

// The interface of extensions. The core imports none of them: `server/extensions.ts` lists them, and
// `extensions/<name>/index.ts` says what each adds. The option `extensions` also names features of the core that have no
// folder, such as `text`; `contract/extensions.ts` lists the names.
import type { VerificationKey } from '../auth/keys.ts';
import type { SigningKey } from '../auth/verify-jwt.ts';
import type { SchemaCache } from '../catalog/schema-cache.ts';
import type { AppConfig } from '../config/table/app-config.ts';
import type { HttpRequest, HttpResponse } from '../contract/http.ts';
import type { Dialect } from '../contract/dialect.ts';
import type { ScriptGuard } from '../sql/script-guard.ts';
import type { Product } from '../contract/product.ts';
import type { CancelSignal } from '../contract/cancel-signal.ts';
import type { Result } from '../contract/result.ts';
import type { ScriptResults } from '../contract/transaction.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { Metric } from '../observe/metrics.ts';
import type { Observe } from '../observe/observation.ts';
import type { ServiceCounters } from '../observe/service-metrics.ts';
import type { TransactionScript } from '../sql/transaction-script.ts';
import type { Client, Failure, HandledRequest } from '../observe/request-report.ts';
import type { RequestTracing } from '../observe/request-trace.ts';
import type { RequestContext, Seams } from './request-context.ts';

export interface Extension extends RequestPart {
  /** The name of its folder. */
  readonly name: string;
  /** Makes what decides, for one pool, whether statements run. */
  readonly guardScripts?: () => ScriptGuard;
  /**
   * Called once for each service.
   *
   * @returns what runs beside the requests of the service; undefined if nothing does in this process
   */
  readonly start?: (environment: ServiceEnvironment) => Running | undefined;
  /** Called before the program exits, after the last request. Resolves in time, whatever happens. */
  readonly flush?: () => Promise<void>;
}

/** The part of an extension that concerns requests. */
export interface RequestPart {
  /**
   * Called when the configuration or the schema cache has changed.
   *
   * @returns what it adds to requests; undefined where it is off
   */
  readonly compile?: (settings: SeamSettings) => Seams | undefined;
  /** How the requests that it makes itself (`HttpRequest.isOwnCall`) differ from those of clients. */
  readonly calls?: OwnCalls;
}

export interface SeamSettings {
  readonly config: AppConfig;
  /** Undefined before it is loaded. */
  readonly cache?: SchemaCache | undefined;
  readonly dialect: Dialect;
}

export interface OwnCalls {
  readonly configOf: (config: AppConfig) => AppConfig;
  /** Changes the results of each of their scripts. */
  readonly read: (results: ScriptResults) => ScriptResults;
}

export interface ServiceEnvironment {
  /** At the start. */
  readonly config: AppConfig;
  readonly product: Product;
  readonly dialect: Dialect;
  readonly connection: DatabaseLocation;
  /** Whether this process answers requests; with several workers, the primary process does not. */
  readonly servesRequests: boolean;
  readonly observe: Observe;
  /** Whether this process logs what all processes find out, each for itself. */
  readonly reportsShared: boolean;
  /** Runs the scripts of requests on the primary. */
  readonly primary: ScriptTarget;
  /** Connects to another server, with the limits of the primary. */
  readonly openServer: (connectionString: string) => ServerConnections;
  /** Runs a statement on a connection of the pool. */
  readonly query: RunQuery;
  /** Returns the state that a request which arrives now sees. @param signal aborts the request */
  readonly snapshot: (request?: HttpRequest, signal?: CancelSignal) => RequestContext;
  /** Resolves when the token of the request can be verified; undefined if that is now. */
  readonly awaitKeys: (request: HttpRequest) => Promise<void> | undefined;
  /**
   * Asks the same extension in the primary process (`Running.answerWorker`). Undefined in that process.
   *
   * @returns undefined if the primary process has ended
   */
  readonly askPrimary: ((question: unknown) => Promise<unknown>) | undefined;
  /** Call when a provider of keys has others. */
  readonly onKeysReplaced: () => void;
}

export interface DatabaseLocation {
  readonly connectionString: string;
  /** `PG*` variables complete the connection string. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Runs scripts on a server, or on one of several. */
export interface ScriptTarget {
  runScript(script: TransactionScript, signal?: CancelSignal): Promise<Result<ScriptResults, ApiError>>;
}

export interface ServerConnections extends ScriptTarget {
  readonly statistics: ServiceCounters['pool'] & { readonly waitingForPermit: number };
  /** Replaces the connections. */
  flush(): void;
  close(): Promise<void>;
}

/** @returns the rows, as texts */
export type RunQuery = (
  text: string,
  parameters: readonly (string | null)[],
) => Promise<Result<readonly (readonly (string | null)[])[], ApiError>>;

/** A worker, as the primary process knows it. */
export interface WorkerLink {
  /** Passes news to an extension in the worker (`Running.hear`). */
  tell(extension: string, news: unknown): void;
}

/** What an extension runs beside the requests of a service. */
export interface Running extends Pick<RequestPart, 'compile'> {
  /** Runs the scripts of requests in place of the primary. */
  readonly database?: ScriptTarget;
  /**
   * Called at the start, and when the configuration or the schema cache has been replaced.
   *
   * @returns where requests meet the extension before they are handled
   */
  readonly apply?: (state: RunningState) => ServiceSeams;
  /** Called before the first connection. @returns in a sentence why the service cannot start */
  readonly findFault?: (config: AppConfig) => Promise<string | undefined>;
  /** Called when the service starts. */
  readonly begin?: () => void;
  /** Called before the first load. @returns in sentences what prevents it from running, if something does */
  readonly findProblem?: (config: AppConfig) => Promise<string | undefined>;
  /** Called before the first request arrives, to do slow work that would hold it up. */
  readonly warmUp?: (context: RequestContext) => Promise<void>;
  /** Returns what it has counted, which the sum for all processes contains. Names lack the prefix. */
  readonly metrics?: () => readonly Metric[];
  /**
   * Called after each load of the schema cache.
   *
   * @param query runs on the connection that has loaded it
   * @returns in sentences what is missing in the database, with the SQL that adds it
   */
  readonly findGaps?: (query: RunQuery, config: AppConfig) => Promise<readonly string[]>;
  /** Number of requests that need no connection now. */
  readonly waiting?: () => number;
  /** Answers a question of a worker (`ServiceEnvironment.askPrimary`). */
  readonly answerWorker?: (question: unknown, worker: WorkerLink) => unknown;
  readonly noticeWorkerEnd?: (worker: WorkerLink) => void;
  /** Receives what the same extension in the primary process tells this worker. */
  readonly hear?: (news: unknown) => void;
  /** Called when the server shuts down: ends responses that would last until the deadline. */
  readonly end?: () => void;
  /** Called when no request is in progress. Resolves when every connection is closed. */
  readonly close?: () => Promise<void> | void;
}

/** The state of the service that all requests share. */
export type RunningState = Pick<RequestContext, 'config' | 'cache' | 'roleSettings'>;

/** The places where the service meets the extensions. A member that no extension adds is not on the way. */
export interface ServiceSeams {
  /** Called once for each request, after the limits that need no body, and before it is read. */
  readonly admit?: Admit | undefined;
  /** Records each request. */
  readonly tracing?: RequestTracing | undefined;
  readonly keys?: KeyProvider | undefined;
  /** Finds the requests that an extension answers in place of the API. */
  readonly findRoute?: ((request: HttpRequest) => OwnRoute | undefined) | undefined;
  /** A path of such requests, for metrics and traces. */
  readonly ownPath?: string | undefined;
}

/** @returns the request with the fields of its response, or why it is refused */
export type Admit = (request: HttpRequest, client: Client) => Admitted | Promise<Admitted>;

export type Admitted = Result<HttpRequest, ApiError>;

/** Public keys that verify tokens, beside those of the configuration. */
export interface KeyProvider {
  /** Undefined until they are loaded. */
  readonly keys: readonly VerificationKey[] | undefined;
  /** Seconds until the next attempt to load them, at least 1. */
  readonly retryAfter: number;
  /** Resolves when a load that may bring the key of a token has ended; undefined if none is worth waiting for. */
  awaitKey(wanted: SigningKey): Promise<void> | undefined;
}

/** Answers requests that the API does not see. Its own requests may go through it. */
export interface OwnRoute {
  readonly answer: (request: HttpRequest, call: OwnRouteCall) => Promise<HandledRequest>;
  /** Checks a request before its body is read. @returns why it is refused */
  readonly check: (request: HttpRequest, context: RequestContext) => HandledRequest | undefined;
}

export interface OwnRouteCall {
  readonly context: RequestContext;
  /** Aborts when the client disconnects. */
  readonly signal: CancelSignal | undefined;
  /** Handles a request of the extension like one of the client. @param cancelled aborts it */
  readonly call: (request: HttpRequest, cancelled: CancelSignal) => Promise<CallReply>;
}

export interface CallReply {
  readonly response: HttpResponse;
  /** Set for an error, whatever its status: the database can choose any. */
  readonly failure: Failure | undefined;
}

/** Applies the state to all extensions, and joins what they add. */
export function applyRunning(extensions: readonly Running[], state: RunningState): ServiceSeams {
  const active = extensions.flatMap((running) => running.apply?.(state) ?? []);
  return {
    admit: onlyOf(active, 'admit'),
    tracing: onlyOf(active, 'tracing'),
    keys: onlyOf(active, 'keys'),
    findRoute: firstOf(active.flatMap((seams) => seams.findRoute ?? [])),
    ownPath: onlyOf(active, 'ownPath'),
  };
}

/** Each member comes from the extension that adds it. Of those that recognize something, the first does. */
export function compileSeams(extensions: readonly RequestPart[], settings: SeamSettings): Seams {
  const active = extensions.flatMap((extension) => extension.compile?.(settings) ?? []);
  return {
    findOwnTask: firstOf(active.flatMap((seams) => seams.findOwnTask ?? [])),
    chooseDocument: firstOf(active.flatMap((seams) => seams.chooseDocument ?? [])),
    hold: onlyOf(active, 'hold'),
    rowBodies: onlyOf(active, 'rowBodies'),
    limitCost: onlyOf(active, 'limitCost'),
    events: onlyOf(active, 'events'),
    completeScript: onlyOf(active, 'completeScript'),
    completeSegment: onlyOf(active, 'completeSegment'),
    choosePlanning: onlyOf(active, 'choosePlanning'),
    completePlan: onlyOf(active, 'completePlan'),
    headers: onlyOf(active, 'headers'),
    findKeyUse: onlyOf(active, 'findKeyUse'),
    findTraceparent: onlyOf(active, 'findTraceparent'),
    readPages: onlyOf(active, 'readPages'),
    readCondition: onlyOf(active, 'readCondition'),
    planInSlices: onlyOf(active, 'planInSlices'),
    planPages: onlyOf(active, 'planPages'),
    returnsVersions: onlyOf(active, 'returnsVersions'),
    completeWrite: firstOf(active.flatMap((seams) => seams.completeWrite ?? [])),
    pages: onlyOf(active, 'pages'),
    linkPages: onlyOf(active, 'linkPages'),
    tag: onlyOf(active, 'tag'),
    description: onlyOf(active, 'description'),
    renderDetails: onlyOf(active, 'renderDetails'),
    buildDetails: onlyOf(active, 'buildDetails'),
    correctError: onlyOf(active, 'correctError'),
    hints: onlyOf(active, 'hints'),
  };
}

function firstOf<Asked extends readonly unknown[], Found>(
  functions: readonly ((...asked: Asked) => Found | undefined)[],
): ((...asked: Asked) => Found | undefined) | undefined {
  if (functions.length < 2) return functions[0];
  return (...asked) => {
    for (const find of functions) {
      const found = find(...asked);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** @returns the member that one of them has; undefined if none has it */
export function onlyOf<Part extends object, Name extends keyof Part>(
  parts: readonly Part[],
  name: Name,
): Part[Name] | undefined {
  const [only, ...others] = parts.filter((part) => part[name] !== undefined);
  if (others.length > 0) throw new Error(`two extensions add ${String(name)}`);
  return only?.[name];
}

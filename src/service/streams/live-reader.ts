// Plans and reads the rows of a live response, as the role and with the claims of its request.
import type { Identity } from '../../auth/authenticate.ts';
import { LIVE_SOURCES_SQL } from '../../catalog/introspect/live-sources.sql.ts';
import { decodeLiveSources, findDependence, findKeyed, type LiveSources } from '../../live/live-sources.ts';
import { type Dependence, DEPENDS_ON_ANY } from '../../live/interests.ts';
import type { LiveRows } from '../../live/sent-rows.ts';
import type { CancelSignal } from '../../contract/cancel-signal.ts';
import type { HttpRequest } from '../../contract/http.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { MainStatement, ScriptResult } from '../../contract/transaction.ts';
import { isStream } from '../../contract/body-stream.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { LiveMemory, MemoryShare } from '../../live/live-memory.ts';
import { parseKey } from '../../live/row-changes.ts';
import type { CallAction, ReadAction } from '../../plan/actions/action-plan.ts';
import { type KeyedRead, type LivePlan, planLive } from '../../plan/actions/plan-live.ts';
import { unavailable } from '../../plan/negotiation/negotiate.ts';
import { planWithVisibleNames } from '../../plan/plan-with-visible-names.ts';
import type { QueryReply } from '../../postgres/session/query.ts';
import type { ParameterValue } from '../../contract/transaction.ts';
import type { ApiRequest } from '../../request/api-request.ts';
import { parseRequest } from '../../request/parse-request.ts';
import type { RowRange } from '../../request/range.ts';
import { planContextOf, type RequestContext, scriptContextOf } from '../../request-context.ts';
import { CoalescedTasks } from '../scheduling/coalesced-task.ts';
import { renderLiveRows } from '../../sql/render-live.ts';
import { planCost } from '../../sql/render-budget.ts';
import { type PreparedRows, prepareRows, prepareWith, renderScript } from '../../sql/render-script.ts';
import { renderArrayLiteral } from '../../sql/text/array-literal.ts';
import type { ResultLimit } from '../../sql/transaction-script.ts';
import { Turns } from '../scheduling/turns.ts';

/** The request of a live response, and the identity that it runs as. */
export interface Watched {
  /** Estimated memory of a group without its rows. */
  readonly byteLength: number;
  readonly request: HttpRequest;
  /** The request as the database sees it. */
  readonly shown: HttpRequest;
  /** Without the claims that `live-ignore-claims` names. */
  readonly identity: Identity;
}

export interface PlannedWatch {
  readonly action: ReadAction | CallAction;
  readonly live: LivePlan;
  readonly sources: LiveSources;
  /** Undefined if all rows are read again after each change. */
  readonly keyed: KeyedRead | undefined;
  readonly dependence: Dependence;
  readonly maximum: Maximum;
  /** Reads all rows. */
  readonly all: PreparedRows;
  readonly context: RequestContext;
}

/** The memory that a read may use. */
export interface ReadLimit {
  readonly share: MemoryShare;
  /** Whether the group has no rows yet. */
  readonly isNew: boolean;
}

export interface TouchedRead extends ReadLimit {
  readonly keys: readonly string[];
}

/** The part of a plan that stays valid until the configuration or the schema cache is replaced. */
interface Planned {
  readonly action: ReadAction | CallAction;
  readonly live: LivePlan;
}

interface Maximum {
  readonly rows: number;
  readonly option: string;
}

export type Query = (text: string, parameters: readonly ParameterValue[]) => Promise<QueryReply>;

export interface LiveReaderOptions {
  /** @param signal aborts when a read is no longer wanted */
  readonly context: (signal?: CancelSignal) => RequestContext;
  /** Runs an internal statement where the reads run. */
  readonly query: Query;
  readonly memory: LiveMemory;
}

export class LiveReader {
  readonly #options: LiveReaderOptions;
  /** Groups that start at the same time often read the same tables, so equal queries run once. */
  readonly #sources: CoalescedTasks<QueryReply> = new CoalescedTasks();
  /** Limits concurrent live reads to half of the connections, so that requests always find the other half. */
  readonly #turns = new Turns(() => Math.max(1, this.#options.context().config.dbPool >> 1));

  constructor(options: LiveReaderOptions) {
    this.#options = options;
  }

  /** Yields to other work during a long computation. */
  readonly pause = (): Promise<unknown> => this.#options.context().pause();

  /**
   * @param known the previous plan; its request is not parsed again
   * @param signal aborts when no client needs the reads of this plan any more
   */
  async plan(
    watched: Watched,
    known: PlannedWatch | undefined,
    signal: CancelSignal,
  ): Promise<Result<PlannedWatch, ApiError>> {
    const context = this.#options.context(signal);
    const { cache, config, dialect } = context;
    const isKnown = known !== undefined && known.context.cache === cache && known.context.config === config;
    const planned = isKnown ? ok(known) : await planWatched(watched, context);
    if (!planned.ok) return planned;
    const { action, live } = planned.value;
    const sources = await this.#findSources(live, config.livePublication);
    if (!sources.ok) return sources;
    const keyed = findKeyed(sources.value, live.keyed);
    const dependence = live.usesUnknownFunctions ? DEPENDS_ON_ANY : findDependence(sources.value, keyed);
    const maximum = findMaximum(config);
    const range = { ...live.range, limit: Math.min(live.range.limit ?? Infinity, maximum.rows + 1) };
    const all = prepareAll(action, { keyed, range, dialect });
    return ok({ action, live, sources: sources.value, keyed, dependence, maximum, all, context });
  }

  /** Errors: those of the database, `tooManyLiveRows`, and `liveRowsTooLong` or `overloaded` without enough memory. */
  async readAll(watched: Watched, plan: PlannedWatch, limit: ReadLimit): Promise<Result<LiveRows, ApiError>> {
    const { maximum } = plan;
    const result = await this.#run(watched, { context: plan.context, prepared: plan.all, limit });
    if (!result.ok) return result;
    const read = readRows(result.value);
    return countRows(result.value) > maximum.rows ? fail(tooMany(maximum)) : ok(read);
  }

  /** Reads the rows with the keys that still belong to the result. Errors: like `readAll`. */
  async readTouched(watched: Watched, plan: PlannedWatch, touched: TouchedRead): Promise<Result<LiveRows, ApiError>> {
    const { keyed, action, context } = plan;
    if (keyed === undefined || action.kind === 'call') throw new Error('the rows of this read have no keys');
    const range = { offset: 0, limit: undefined };
    const keys = touched.keys.map(parseKey);
    const prepared = prepareKeyed(action, renderLiveRows({ read: action.read, key: keyed.key, range, touched: keys }));
    const result = await this.#run(watched, { context, prepared, limit: touched });
    return result.ok ? ok(readRows(result.value)) : result;
  }

  async #findSources(live: LivePlan, publication: string | undefined): Promise<Result<LiveSources, ApiError>> {
    const { relations, routines } = live;
    const parameters = [
      renderArrayLiteral(relations.map(({ schema }) => schema)),
      renderArrayLiteral(relations.map(({ name }) => name)),
      renderArrayLiteral(routines),
      publication ?? null,
    ];
    const query = (): Promise<QueryReply> => this.#turns.run(() => this.#options.query(LIVE_SOURCES_SQL, parameters));
    const reply = await this.#sources.request(JSON.stringify(parameters), query);
    return reply.ok ? decodeLiveSources(reply.value, relations) : reply;
  }

  async #run(
    { shown, identity }: Watched,
    { context, prepared, limit }: LiveRun,
  ): Promise<Result<ScriptResult, ApiError>> {
    const { memory } = this.#options;
    // Without replicas: they may lag behind the log.
    const script = renderScript(prepared, { ...scriptContextOf(shown, identity, context), replicas: undefined });
    let needed = 0;
    const resultLimit: ResultLimit = {
      bytes: Infinity,
      // The result and the events that are encoded from it.
      reserve: (bytes) => limit.share.resize((needed = 2 * bytes)),
      exceededBy: () => noRoom(memory, { needed, isNew: limit.isNew }),
    };
    const result = await this.#turns.run(() => context.runScript({ ...script, mayStream: false, resultLimit }));
    return result.ok ? ok(result.value[0]) : result;
  }
}

interface LiveRun {
  readonly context: RequestContext;
  readonly prepared: PreparedRows;
  readonly limit: ReadLimit;
}

async function planWatched(
  { request, identity }: Watched,
  context: RequestContext,
): Promise<Result<Planned, ApiError>> {
  const { cache } = context;
  if (cache === undefined) return fail({ kind: 'schemaCacheMissing' });
  const parsed = await parseRequest(request, context.settings, context.pause);
  if (!parsed.ok) return parsed;
  const findNames = () => context.findVisibleNames(identity.role);
  const planned = await planWithVisibleNames(parsed.value, planContextOf(context, cache), {
    findVisibleNames: findNames,
    pause: context.pause,
  });
  if (!planned.ok) return planned;
  const action = planned.value;
  if ((action.kind !== 'read' && action.kind !== 'call') || action.events !== 'rows')
    return fail(unavailable(parsed.value.accepted));
  return ok({ action, live: planLive(action, rangeOf(parsed.value), cache) });
}

function prepareAll(
  action: ReadAction | CallAction,
  {
    keyed,
    range,
    dialect,
  }: { readonly range: RowRange } & Pick<PlannedWatch, 'keyed'> & Pick<RequestContext, 'dialect'>,
): PreparedRows {
  if (keyed !== undefined && action.kind === 'read')
    return prepareKeyed(action, renderLiveRows({ read: action.read, key: keyed.key, range, touched: undefined }));
  const limited = { ...action, range, count: { kind: 'none' }, read: { ...action.read, range } } as const;
  return prepareRows(limited, dialect);
}

/** The cost of this statement depends on the number of keys, so it is estimated for each read. */
function prepareKeyed(read: ReadAction, main: MainStatement): PreparedRows {
  const action = { ...read, isCostConstant: false };
  const cost = planCost(action, main, () => main);
  return prepareWith(action, { main, plannedCount: undefined, payloadParameter: undefined, cost });
}

function readRows(result: ScriptResult): LiveRows {
  if (result.kind === 'lines') return { kind: 'keyed', lines: result.lines };
  const { body } = result.outcome;
  if (isStream(body)) throw new Error('a live read was streamed');
  return { kind: 'whole', body: body ?? NO_ROWS };
}

const NO_ROWS = new TextEncoder().encode('[]');

function countRows(result: ScriptResult): number {
  return result.kind === 'lines' ? result.lines.length : (result.outcome.pageRows ?? 0);
}

function rangeOf({ range }: ApiRequest): RowRange {
  return range;
}

function findMaximum({ liveMaxRows, dbMaxRows = Infinity }: RequestContext['config']): Maximum {
  return liveMaxRows <= dbMaxRows
    ? { rows: liveMaxRows, option: 'live-max-rows' }
    : { rows: dbMaxRows, option: 'db-max-rows' };
}

export function tooMany({ rows, option }: Maximum): ApiError {
  return { kind: 'tooManyLiveRows', maximum: rows, option };
}

/** The error when memory is missing: `overloaded` if a later attempt may find room, otherwise `liveRowsTooLong`. */
export function noRoom(
  { maxBytes, reads }: Pick<LiveMemory, 'maxBytes' | 'reads'>,
  { needed, isNew }: ReadNeed,
): ApiError {
  if (needed <= maxBytes && (isNew || reads > 1)) return NO_ROOM;
  return { kind: 'liveRowsTooLong', maxBytes, option: 'live-max-bytes' };
}

interface ReadNeed {
  /** Bytes. */
  readonly needed: number;
  readonly isNew: boolean;
}

const NO_ROOM: ApiError = {
  kind: 'overloaded',
  details: 'Live responses hold too many bytes',
  option: 'live-max-bytes',
};

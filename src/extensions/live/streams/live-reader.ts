// Plans and reads the rows of a live response, as the role and with the claims of its request.
import type { Identity } from '../../../auth/authenticate.ts';
import { LIVE_SOURCES_SQL } from '../plan/live-sources.sql.ts';
import { decodeLiveSources, findDependence, findKeyed, type LiveSources } from '../events/live-sources.ts';
import { type Dependence, DEPENDS_ON_ANY } from '../events/interests.ts';
import type { LiveRows } from '../events/sent-rows.ts';
import type { CancelSignal } from '../../../contract/cancel-signal.ts';
import type { HttpRequest } from '../../../contract/http.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { MainStatement, ScriptResult } from '../../../contract/transaction.ts';
import { isStream } from '../../../contract/body-stream.ts';
import type { ApiError } from '../../../errors/api-error.ts';
import { EVENT_STREAM_TYPE } from '../../../media/formats.ts';
import type { LiveMemory, MemoryShare } from '../events/live-memory.ts';
import { parseKey } from '../events/row-changes.ts';
import type { CallAction, ReadAction } from '../../../plan/actions/action-plan.ts';
import { type KeyedRead, type LivePlan, planLive } from '../plan/plan-live.ts';
import type { QueryReply } from '../../../postgres/session/query.ts';
import type { RowRange } from '../../../request/range.ts';
import type { RunQuery } from '../../../serve/extension.ts';
import { prepareRequest } from '../../../serve/prepare-request.ts';
import type { Planning } from '../../../prepare/plan-cache.ts';
import type { RequestContext, Work } from '../../../serve/request-context.ts';
import { runPrepared } from '../../../serve/run-prepared.ts';
import { CoalescedTasks } from './coalesced-tasks.ts';
import { renderLiveRows } from '../plan/render-live.ts';
import { planCost } from '../../../sql/cost-plan.ts';
import { type LiveRead, type PreparedRows, prepareRows, prepareWith } from '../../../sql/render-script.ts';
import { renderArrayLiteral } from '../../../sql/text/array-literal.ts';
import type { ResultLimit, TransactionScript } from '../../../sql/transaction-script.ts';
import { Turns } from './turns.ts';

/** The request of a live response, and the identity that it runs as. */
export interface Watched {
  /** Estimated memory of a group without its rows. */
  readonly byteLength: number;
  readonly live: LiveRead;
  /** The configuration and schema cache under which `live` was planned. */
  readonly planning: Planning;
  readonly request: HttpRequest;
  /** The request as the database sees it. */
  readonly shown: HttpRequest;
  /** Without the claims that `live-ignore-claims` names. */
  readonly identity: Identity;
}

export interface PlannedWatch {
  readonly live: LiveRead;
  readonly sources: LiveSources;
  /** Undefined if all rows are read again after each change. */
  readonly keyed: KeyedRead | undefined;
  readonly dependence: Dependence;
  readonly maximum: Maximum;
  /** Reads all rows. */
  readonly all: PreparedRows;
  /** Runs the reads. */
  readonly work: Work;
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

interface Maximum {
  readonly rows: number;
  readonly option: string;
}

export interface LiveReaderOptions {
  /** @param signal aborts when a read is no longer wanted */
  readonly context: (signal?: CancelSignal) => RequestContext;
  /** Runs an internal statement where the reads run. */
  readonly query: RunQuery;
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
   * @param known the previous plan, which is used again unless the configuration or the schema cache has been replaced
   * @param signal aborts when no client needs the reads of this plan any more
   */
  async plan(
    watched: Watched,
    known: PlannedWatch | undefined,
    signal: CancelSignal,
  ): Promise<Result<PlannedWatch, ApiError>> {
    const context = this.#options.context(signal);
    const { config, planning } = context;
    if (planning === undefined) return fail({ kind: 'schemaCacheMissing' });
    const { shown: request, identity } = watched;
    const work = {
      request,
      context,
      planning,
      identity,
      phases: undefined,
      hold: undefined,
      script: undefined,
      legacyNames: [],
    };
    const found = await findRead(watched, known, work);
    if (!found.ok) return found;
    const { action, range: asked } = found.value;
    const live = planLive(action, asked, planning.context.cache);
    const sources = await this.#findSources(live, config.livePublication);
    if (!sources.ok) return sources;
    const keyed = findKeyed(sources.value, live.keyed);
    const dependence = live.usesUnknownFunctions ? DEPENDS_ON_ANY : findDependence(sources.value, keyed);
    const maximum = findMaximum(config);
    const range = { ...asked, limit: Math.min(asked.limit ?? Infinity, maximum.rows + 1) };
    const all = prepareAll(action, { keyed, range, context });
    return ok({ live: found.value, sources: sources.value, keyed, dependence, maximum, all, work });
  }

  /** Errors: those of the database, `tooManyLiveRows`, and `liveRowsTooLong` or `overloaded` without enough memory. */
  async readAll({ all, maximum, work }: PlannedWatch, limit: ReadLimit): Promise<Result<LiveRows, ApiError>> {
    const result = await this.#run(all, work, limit);
    if (!result.ok) return result;
    const read = readRows(result.value);
    return countRows(result.value) > maximum.rows ? fail(tooMany(maximum)) : ok(read);
  }

  /** Reads the rows with the keys that still belong to the result. Errors: like `readAll`. */
  async readTouched({ keyed, live, work }: PlannedWatch, touched: TouchedRead): Promise<Result<LiveRows, ApiError>> {
    const { action } = live;
    if (keyed === undefined || action.kind === 'call') throw new Error('the rows of this read have no keys');
    const range = { offset: 0, limit: undefined };
    const keys = touched.keys.map(parseKey);
    const prepared = prepareKeyed(action, renderLiveRows({ read: action.read, key: keyed.key, range, touched: keys }));
    const result = await this.#run(prepared, work, touched);
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

  async #run(prepared: PreparedRows, work: Work, limit: ReadLimit): Promise<Result<ScriptResult, ApiError>> {
    const { memory } = this.#options;
    let needed = 0;
    const resultLimit: ResultLimit = {
      bytes: Infinity,
      // The result and the events that are encoded from it.
      reserve: (bytes) => limit.share.resize((needed = 2 * bytes)),
      exceededBy: () => noRoom(memory, { needed, isNew: limit.isNew }),
    };
    // Replicas may lag behind the log.
    const onPrimary = ({ freshness: _freshness, ...script }: TransactionScript): TransactionScript => ({
      ...script,
      mayStream: false,
      resultLimit,
    });
    const reply = await this.#turns.run(() => runPrepared(prepared, { ...work }, onPrimary));
    return reply.ok ? ok(reply.value[0]) : reply;
  }
}

/** Plans the request again only if the configuration or the schema cache has been replaced. */
async function findRead(
  watched: Watched,
  known: PlannedWatch | undefined,
  work: Work,
): Promise<Result<LiveRead, ApiError>> {
  if (known?.work.planning === work.planning) return ok(known.live);
  if (watched.planning === work.planning) return ok(watched.live);
  const prepared = await prepareRequest({ ...work, request: watched.request });
  if (!prepared.ok) return prepared;
  const live = prepared.value.kind === 'events' ? prepared.value.live : undefined;
  return live === undefined ? fail({ kind: 'mediaTypeUnavailable', accepted: [EVENT_STREAM_TYPE] }) : ok(live);
}

function prepareAll(
  action: ReadAction | CallAction,
  {
    keyed,
    range,
    context,
  }: { readonly range: RowRange; readonly context: RequestContext } & Pick<PlannedWatch, 'keyed'>,
): PreparedRows {
  if (keyed !== undefined && action.kind === 'read')
    return prepareKeyed(action, renderLiveRows({ read: action.read, key: keyed.key, range, touched: undefined }));
  const limited = { ...action, range, count: { kind: 'none' }, read: { ...action.read, range } } as const;
  return prepareRows(limited, context);
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

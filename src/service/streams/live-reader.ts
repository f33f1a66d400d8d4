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
import { parseKey, type RowsByKey } from '../../live/row-changes.ts';
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
import { renderLiveRows } from '../../sql/render-live.ts';
import { prepareRows, renderScript, type ScriptContext } from '../../sql/render-script.ts';
import { renderArrayLiteral } from '../../sql/text/array-literal.ts';
import type { TransactionScript } from '../../sql/transaction-script.ts';
import { CoalescedTasks } from '../scheduling/coalesced-tasks.ts';
import { Turns } from '../scheduling/turns.ts';

/** Who watches what. */
export interface Watched {
  readonly request: HttpRequest;
  /** The request as the database sees it. */
  readonly shown: HttpRequest;
  /** Without the claims that are ignored. */
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
  readonly context: RequestContext;
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
}

export class LiveReader {
  readonly #options: LiveReaderOptions;
  /** Many groups that begin at the same moment often read the same tables. */
  readonly #sources: CoalescedTasks<QueryReply> = new CoalescedTasks();
  /** However many groups read at once, half of the connections are left to requests. */
  readonly #turns = new Turns(() => Math.max(1, this.#options.context().config.dbPool >> 1));

  constructor(options: LiveReaderOptions) {
    this.#options = options;
  }

  /** @param signal aborts when nobody wants the reads of this plan any more */
  async plan({ request, identity }: Watched, signal: CancelSignal): Promise<Result<PlannedWatch, ApiError>> {
    const context = this.#options.context(signal);
    const { cache, config } = context;
    if (cache === undefined) return fail({ kind: 'schemaCacheMissing' });
    const parsed = await parseRequest(request, context.settings, context.pause);
    if (!parsed.ok) return parsed;
    const findNames = () => context.findVisibleNames(identity.role);
    const planned = await planWithVisibleNames(parsed.value, planContextOf(context, cache), findNames);
    if (!planned.ok) return planned;
    const action = planned.value;
    if ((action.kind !== 'read' && action.kind !== 'call') || action.events !== 'rows')
      return fail(unavailable(parsed.value.accepted));
    const live = planLive(action, rangeOf(parsed.value), cache);
    const sources = await this.#findSources(live, config.livePublication);
    if (!sources.ok) return sources;
    const keyed = findKeyed(sources.value, live.keyed);
    const dependence = live.usesUnknownFunctions ? DEPENDS_ON_ANY : findDependence(sources.value, keyed);
    return ok({ action, live, sources: sources.value, keyed, dependence, maximum: findMaximum(config), context });
  }

  /** Errors: those of the database, and `tooManyLiveRows`. */
  async readAll(watched: Watched, plan: PlannedWatch): Promise<Result<LiveRows, ApiError>> {
    const { keyed, action, maximum } = plan;
    const range = { ...plan.live.range, limit: Math.min(plan.live.range.limit ?? Infinity, maximum.rows + 1) };
    if (keyed === undefined || action.kind === 'call') return this.#readWhole(watched, plan, range);
    const main = renderLiveRows({ read: action.read, key: keyed.key, range, touched: undefined });
    const rows = await this.#readKeyed(watched, plan, main);
    if (!rows.ok) return rows;
    return rows.value.size > maximum.rows ? fail(tooMany(maximum)) : ok({ kind: 'keyed', rows: rows.value });
  }

  /** Reads the rows with these keys that still belong to the result. */
  async readTouched(
    watched: Watched,
    plan: PlannedWatch,
    keys: readonly string[],
  ): Promise<Result<RowsByKey, ApiError>> {
    const { keyed, action } = plan;
    if (keyed === undefined || action.kind === 'call') throw new Error('the rows of this read have no keys');
    const range = { offset: 0, limit: undefined };
    const touched = keys.map(parseKey);
    return this.#readKeyed(watched, plan, renderLiveRows({ read: action.read, key: keyed.key, range, touched }));
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

  async #readWhole(watched: Watched, plan: PlannedWatch, range: RowRange): Promise<Result<LiveRows, ApiError>> {
    const { action, maximum } = plan;
    const limited = { ...action, range, count: { kind: 'none' }, read: { ...action.read, range } } as const;
    const result = await this.#run(watched, plan, (context) =>
      renderScript(prepareRows(limited, context.dialect), context),
    );
    if (!result.ok) return result;
    if (result.value.kind === 'lines') throw new Error('a live read has no execution plan');
    const { body, pageRows } = result.value.outcome;
    if (isStream(body)) throw new Error('a live read was streamed');
    if ((pageRows ?? 0) > maximum.rows) return fail(tooMany(maximum));
    return ok({ kind: 'whole', text: body === undefined ? '[]' : new TextDecoder().decode(body) });
  }

  async #readKeyed(watched: Watched, plan: PlannedWatch, main: MainStatement): Promise<Result<RowsByKey, ApiError>> {
    const result = await this.#run(watched, plan, (context) => {
      const script = renderScript(prepareRows(plan.action, context.dialect), context);
      const [segment] = script.segments;
      return { ...script, segments: [{ ...segment, main, plannedCount: undefined }] };
    });
    if (!result.ok) return result;
    if (result.value.kind !== 'lines') throw new Error('a live read returned something else than its lines');
    return ok(new Map(result.value.lines.map(splitLine)));
  }

  async #run(
    { shown, identity }: Watched,
    { context }: PlannedWatch,
    render: (context: ScriptContext) => TransactionScript,
  ): Promise<Result<ScriptResult, ApiError>> {
    // Without replicas: they may lag behind the log.
    const script = render({ ...scriptContextOf(shown, identity, context), replicas: undefined });
    const result = await this.#turns.run(() => context.runScript({ ...script, mayStream: false }));
    return result.ok ? ok(result.value[0]) : result;
  }
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

/** @param line as `renderLiveRows` describes it */
function splitLine(line: Uint8Array): readonly [key: string, row: string] {
  const text = new TextDecoder().decode(line);
  const at = text.indexOf('\n');
  return [JSON.stringify(JSON.parse(text.slice(0, at))), text.slice(at + 1)];
}

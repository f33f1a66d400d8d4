// Renders the script of a transaction: settings, pre-request function, main statement, planned count.
import type { Dialect } from '../contract/dialect.ts';
import { quoteIdentifier } from '../contract/identifiers.ts';
import { assertNever } from '../contract/result.ts';
import {
  type DbOutcome,
  generalForm,
  type IsolationLevel,
  type Leftovers,
  type MainStatement,
  type Statement,
} from '../contract/transaction.ts';
import type { Segment, TransactionScript, ArrivingRows } from './transaction-script.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { FunctionReference } from '../config/table/app-config.ts';
import type {
  ActionPlan,
  CallAction,
  DescribeAction,
  InfoAction,
  PageAction,
  PlannedRows,
  ReadAction,
  RowsAction,
  MutateAction,
} from '../plan/actions/action-plan.ts';
import type { RowRange } from '../request/range.ts';
import { checkOutcome, lacksRows, mayLackRows } from '../plan/actions/check-outcome.ts';
import { isBuffered } from '../plan/actions/delivery-plan.ts';
import { renderExplain } from './explain.ts';
import { type CostPlan, COSTS_NOTHING, planCost } from './cost-plan.ts';
import { LOG_END } from './log-end.ts';
import { COLUMN_SETTINGS, canPassAsColumns, renderPayloadColumns } from './writes/payload-columns.ts';
import { renderCall, renderCallPlannedCount } from './render-call.ts';
import { renderMutation, renderBatchInsert } from './render-mutation.ts';
import { type PageRenderer, renderRead, relationSource, explainCount } from './render-read.ts';
import { type ActionSettings, renderSettings, type SenderSettings, type Setting } from './text/settings.ts';
import { renderVisibility } from './render-visibility.ts';
import { renderCountQuery } from './levels/count.ts';
import { StatementBuilder } from './text/statement-builder.ts';
import { renderPayloadRows } from './writes/payload.ts';

/** An action and its statements: the parts of a request that do not depend on the sender. */
export interface PreparedRows {
  /** `events`: the rows, or the channels that they name, become a stream of events. */
  readonly kind: 'rows' | 'events';
  readonly action: PlannedRows;
  readonly statements: ActionStatements;
  readonly profile: TransactionProfile;
  /** Like those of the action, with the values of this request. */
  readonly contentLocation: string | undefined;
  readonly linkQuery: string | undefined;
  /** For a write of several statements. */
  readonly divide?: DivideScript;
  /** For live rows: what is read again after changes. */
  readonly live?: LiveRead;
}

/**
 * Replaces the only segment of a script by the statements of a write, in as many parts as they need. The script continues
 * with the result of the last one, as if that had been its only one.
 *
 * @param noteFailure called if a row cannot be written for another reason than an error of the database
 */
export type DivideScript = (script: TransactionScript, noteFailure?: (error: ApiError) => void) => TransactionScript;

/** A read that is repeated. */
export interface LiveRead {
  readonly action: ReadAction | CallAction;
  /** The rows that the request asks for, without the limit of the server. */
  readonly range: RowRange;
}

export interface PreparedDescription {
  readonly kind: 'describe';
  readonly action: DescribeAction;
  readonly statements: ActionStatements;
  readonly profile: TransactionProfile;
}

/** What the action alone decides about its transaction: the same for all requests of a shape. */
export interface TransactionProfile {
  readonly isolation: IsolationLevel | undefined;
  readonly leftovers: Leftovers;
  readonly mayRunConcurrently: boolean;
  readonly mayStream: boolean;
  readonly ownSettings: readonly Setting[];
  readonly verify: Segment['verify'];
  readonly isIncomplete: Segment['isIncomplete'];
}

export interface ActionStatements extends RenderedMain {
  readonly plannedCount: Statement | undefined;
  readonly cost: CostPlan;
}

interface RenderedMain {
  readonly main: MainStatement;
  /** Index of the parameter that contains the rows of the payload; undefined: none. */
  readonly payloadParameter: number | undefined;
}

/** The request and its sender, as far as the transaction needs them. */
export interface ScriptContext extends SenderSettings {
  readonly dialect: Dialect;
  readonly preRequest: FunctionReference | undefined;
  readonly roleIsolation: IsolationLevel | undefined;
  /** Undefined: statements may cost anything. */
  readonly renderBudget: RenderBudget | undefined;
  /** Whether the extension `stream` is enabled. */
  readonly isStreaming: boolean;
  /** Called before the script is divided into parts; undefined: it is complete. */
  readonly complete: CompleteScript | undefined;
  readonly completeSegment: CompleteSegment | undefined;
}

/** Adds to a segment what an extension sends with it. */
export type CompleteSegment = (segment: Segment, settings: ActionSettings, sender: SenderSettings) => Segment;

/** What a statement is about to spend. */
export interface Spending {
  readonly action: PlannedRows | DescribeAction;
  readonly cost: CostPlan;
  /** Index of the request in its batch. */
  readonly request: number | undefined;
}

export type RenderBudget = (spending: Spending) => Segment['budget'];

/** @param action undefined for a script of several actions */
export type CompleteScript = (
  script: TransactionScript,
  action: PlannedRows | DescribeAction | undefined,
) => TransactionScript;

export type PreparedScript = PreparedRows | PreparedDescription;
export type PreparedAction = PreparedScript | InfoAction | PageAction;

/** What the text of statements depends on besides their action. */
export interface PrepareContext {
  readonly dialect: Dialect;
  readonly seams: SqlSeams;
}

/** What extensions render. */
export interface SqlSeams {
  readonly pages?: PageRenderer | undefined;
  /** Renders the query for what the document of a schema contains. */
  readonly renderDetails?: ((schema: string) => string) | undefined;
}

export function prepareAction(action: ActionPlan, context: PrepareContext): PreparedAction {
  switch (action.kind) {
    case 'info':
    case 'page':
      return action;
    case 'describe':
      return {
        kind: 'describe',
        action,
        statements: renderDescription(action, context.seams),
        profile: profileOf(action),
      };
    case 'read':
    case 'mutate':
    case 'call':
      return prepareRows(action, context);
  }
}

export function prepareRows(action: RowsAction, context: PrepareContext): PreparedRows {
  const { delivery } = action;
  const { main, payloadParameter } = renderMain(action, context);
  const cost = planCost(action, main, () => renderMain({ ...action, count: { kind: 'planned' } }, context).main);
  const statements: ActionStatements =
    delivery.kind === 'explain'
      ? { main: renderExplain(main, delivery.plan), plannedCount: undefined, payloadParameter, cost }
      : { main, plannedCount: renderCountPlan(action, context.dialect), payloadParameter, cost };
  return prepareWith(action, statements);
}

/** @param statements may be others than the action itself would have */
export function prepareWith(action: RowsAction, statements: ActionStatements): PreparedRows {
  const { contentLocation, paging } = action.kind === 'read' ? action : NOWHERE;
  return {
    kind: action.events === undefined ? 'rows' : 'events',
    action,
    statements,
    profile: profileOf(action),
    contentLocation,
    linkQuery: paging?.linkQuery,
  };
}

const NOWHERE = { contentLocation: undefined, paging: undefined };

function profileOf(action: RowsAction | DescribeAction): TransactionProfile {
  return {
    isolation: (action.kind === 'call' ? action.isolation : undefined) ?? action.preferredIsolation,
    leftovers: leftoversOf(action),
    mayRunConcurrently: mayRunConcurrently(action),
    mayStream: action.kind !== 'describe' && action.access === 'read only' && !isBuffered(action.delivery),
    ownSettings: action.kind === 'call' ? action.settings : [],
    verify: action.kind === 'describe' ? undefined : verifierOf(action),
    isIncomplete: mayLackRows(action) ? lacksRows : undefined,
  };
}

export function renderScript(prepared: PreparedScript, context: ScriptContext): TransactionScript {
  const { action, statements, profile } = prepared;
  const { access, end, reportsPosition } = action;
  const isExplained = action.kind !== 'describe' && action.delivery.kind === 'explain';
  const { preRequest, complete } = context;
  const isolation = profile.isolation ?? context.roleIsolation ?? context.dialect.isolation;
  const arriving =
    action.kind === 'mutate' && action.payload?.batches !== undefined
      ? findArriving(action, statements.payloadParameter, preRequest)
      : undefined;
  const ownSettings = arriving?.columnInsertion === undefined ? profile.ownSettings : COLUMN_SETTINGS;
  const { main } = statements;
  const script: TransactionScript = {
    access,
    isolation,
    role: context.role,
    end,
    leftovers: preRequest === undefined ? profile.leftovers : 'all',
    mayRunConcurrently: preRequest === undefined && profile.mayRunConcurrently,
    mayStream: context.isStreaming && profile.mayStream,
    arriving,
    afterCommit: reportsPosition === true && !isExplained ? LOG_END : undefined,
    segments: [renderSegment(prepared, { ownSettings, access, main, verify: profile.verify }, context)],
  };
  const completed = complete === undefined ? script : complete(script, action);
  return prepared.kind === 'rows' && prepared.divide !== undefined ? prepared.divide(completed) : completed;
}

/**
 * Renders the script of a request whose response is built before its transaction ends, between segments that write: the
 * primary runs it, and its result is held whole.
 */
export function renderHeldScript(prepared: PreparedScript, context: ScriptContext): TransactionScript {
  const { freshness: _freshness, continue: _continue, ...script } = renderScript(prepared, context);
  const held: TransactionScript = {
    ...script,
    access: 'read write',
    leftovers: 'all',
    mayRunConcurrently: false,
    mayStream: false,
    segments: [renderHeldSegment(prepared, { access: 'read write' }, context)],
  };
  return prepared.kind === 'rows' && prepared.divide !== undefined ? prepared.divide(held) : held;
}

/** Where a segment stands whose response is built before the transaction ends. */
export interface HeldPlace {
  readonly access: TransactionScript['access'];
  /** Index of the request in its batch. */
  readonly request?: number;
}

/** Returns a segment whose response is held, whatever its length, and checked by whoever builds it. */
export function renderHeldSegment(
  prepared: PreparedScript,
  { access, request }: HeldPlace,
  context: ScriptContext,
): Segment {
  const main = generalForm(prepared.statements.main);
  const { ownSettings } = prepared.profile;
  return renderSegment(prepared, { ownSettings, access, main, verify: undefined, request }, context);
}

type SegmentParts = Pick<Segment, 'main' | 'verify' | 'request'> & Pick<ActionSettings, 'ownSettings' | 'access'>;

/** Lists all members: segments that were put together by spreading cost 10 to 25 % of the CPU time of a request. */
function renderSegment(
  { action, statements, profile }: PreparedScript,
  { ownSettings, access, main, verify, request }: SegmentParts,
  context: ScriptContext,
): Segment {
  const { schema, timezone } = action;
  const settings = { schema, timezone, ownSettings, access };
  const segment: Segment = {
    settings: renderSettings(settings, context),
    preRequest: context.preRequest && renderPreRequest(context.preRequest),
    main,
    plannedCount: statements.plannedCount,
    verify,
    request,
    isIncomplete: profile.isIncomplete,
    budget: context.renderBudget?.({ action, cost: statements.cost, request }),
  };
  return context.completeSegment === undefined ? segment : context.completeSegment(segment, settings, context);
}

export function leftoversOf(action: PlannedRows | DescribeAction): Leftovers {
  if (action.kind === 'describe') return 'none';
  return action.kind === 'call' ? 'all' : action.leftovers;
}

/** Defaults to false, because a view or a policy may call any function. */
function mayRunConcurrently(action: PlannedRows | DescribeAction): boolean {
  if (action.access !== 'read only') return false;
  return action.kind === 'call' ? action.routine.volatility !== 'volatile' : leftoversOf(action) === 'none';
}

function renderDescription(action: DescribeAction, seams: SqlSeams): ActionStatements {
  const renderQuery = action.document === 'schema' ? seams.renderDetails : undefined;
  return {
    main: renderVisibility(action, renderQuery),
    plannedCount: undefined,
    payloadParameter: undefined,
    cost: COSTS_NOTHING,
  };
}

function renderMain(action: RowsAction, { dialect, seams }: PrepareContext): RenderedMain {
  switch (action.kind) {
    case 'read':
      return { main: renderRead(action, seams.pages), payloadParameter: undefined };
    case 'mutate':
      return renderMutation(action, dialect.settingsPrefix);
    case 'call':
      return { main: renderCall(action, scalarColumnOf(dialect)), payloadParameter: undefined };
    default:
      return assertNever(action);
  }
}

function renderCountPlan(action: RowsAction, dialect: Dialect): Statement | undefined {
  if (action.count.kind !== 'planned' && action.count.kind !== 'estimated') return undefined;
  if (action.kind === 'read') {
    const builder = new StatementBuilder(action.read.relation.name);
    return explainCount(renderCountQuery(action.read, relationSource(action.read), builder), builder);
  }
  return action.kind === 'call' ? renderCallPlannedCount(action, scalarColumnOf(dialect)) : undefined;
}

/** The name of a scalar result's column, which appears in CSV. */
function scalarColumnOf(dialect: Dialect): string {
  return `${dialect.mediaVendor}_scalar`;
}

/** A read-only transaction needs no rollback, so its outcome is checked later, when the response is built. */
function verifierOf(action: PlannedRows): ((outcome: DbOutcome) => ApiError | undefined) | undefined {
  if (action.delivery.kind === 'explain' || action.access === 'read only' || action.checks.length === 0)
    return undefined;
  return (outcome) => checkOutcome(action.checks, outcome);
}

export function renderPreRequest({ schema, name }: FunctionReference): Statement {
  const qualified = [...(schema === undefined ? [] : [schema]), name].map(quoteIdentifier).join('.');
  return { text: `SELECT ${qualified}()`, parameters: [] };
}

function findArriving(
  action: MutateAction,
  payloadParameter: number | undefined,
  preRequest: FunctionReference | undefined,
): ArrivingRows | undefined {
  const { payload } = action;
  if (payload?.batches === undefined || payloadParameter === undefined) return undefined;
  return {
    batches: payload.batches,
    parameter: payloadParameter,
    insertion: renderBatchInsert(action, renderPayloadRows),
    // A pre-request function could change how array literals are parsed.
    columnInsertion:
      preRequest === undefined && canPassAsColumns(payload)
        ? renderBatchInsert(action, renderPayloadColumns)
        : undefined,
  };
}

// Expands a transaction script into the statements to send, in order, each with the role of its result. First stage of
// running a script; pure.
import type { Pieces } from '../../contract/transaction.ts';
import type { RowBatch } from '../../request/payload/row-batch.ts';
import { renderEstimate } from '../../sql/explain.ts';
import type { ArrivingScript, Segment, TransactionScript } from '../../sql/transaction-script.ts';
import { LOG_END, renderPositionCheck } from './position-statements.ts';
import type { StatementCache, StatementScope } from '../session/statement-cache.ts';
import { buildStep, controlStep, type ScriptStep, sharePreparations } from './build-step.ts';
import { buildCleanup, buildReset } from './cleanup-steps.ts';

const COMMIT: ScriptStep = controlStep('commit', 'COMMIT');
export const ROLLBACK: ScriptStep = controlStep('control', 'ROLLBACK');
const CHECK_CONSTRAINTS: ScriptStep = controlStep('control', 'SET CONSTRAINTS ALL IMMEDIATE');

/** Fails with the SQLSTATE of an invalid number, like `BEHIND_STATE`, unless the role is the expected one. */
const ROLE_CHECK = `SELECT CAST(CASE WHEN current_setting('role') = $1 THEN '0' ELSE 'another role' END AS int)`;
export const OTHER_ROLE_STATE = '22P02';

/** PostgreSQL would reuse the plans that functions made for another role. */
const DISCARD_PLANS: ScriptStep = controlStep('control', 'DISCARD PLANS');

/** The plans that may exist on a connection. */
export interface PlanState {
  /** `undefined` if statements are not prepared by name. */
  readonly statements: StatementCache | undefined;
  readonly isDiscardingPlans: boolean;
  /** The only role that plans may exist for; `undefined` if unknown. */
  readonly planRole: string | undefined;
}

/**
 * Returns the steps up to the main and count statements, and the end of the transaction if nothing is checked before
 * it.
 */
export function buildSteps(script: TransactionScript, state: PlanState): readonly ScriptStep[] {
  const { statements } = state;
  const steps: ScriptStep[] = [];
  if (hasExplicitBegin(script)) steps.push(controlStep('begin', renderBegin(script)));
  if (script.freshness !== undefined && script.freshness !== 'any') {
    const check = renderPositionCheck(script.freshness);
    steps.push(buildStep('positionCheck', check, { statements, scope: statements?.shared }));
  }
  if (state.isDiscardingPlans && state.planRole !== script.role) steps.push(DISCARD_PLANS);
  addSegments(steps, script, state);
  if (!isHeldOpen(script)) steps.push(...buildEnding(script, statements));
  return script.segments.length > 1 ? sharePreparations(steps) : steps;
}

/** Returns the steps of a further part of a script, whose transaction has begun. */
export function buildPart(script: TransactionScript, state: PlanState): readonly ScriptStep[] {
  const steps: ScriptStep[] = [];
  if (script.segments[0].isContinued !== true) steps.push(...buildReset(0, state.statements));
  addSegments(steps, script, state);
  return sharePreparations(steps);
}

/** Each segment starts with the settings of the session, whatever the ones before it have set. */
function addSegments(steps: ScriptStep[], script: TransactionScript, state: PlanState): void {
  for (const [index, segment] of script.segments.entries()) {
    if (index > 0 && segment.isContinued !== true) steps.push(...buildReset(index, state.statements));
    addSegment(steps, { script, segment, index }, state);
  }
}

interface SegmentPlace {
  readonly script: TransactionScript;
  readonly segment: Segment;
  readonly index: number;
}

// Runs for every request, so objects are written out instead of copied.
function addSegment(steps: ScriptStep[], { script, segment, index }: SegmentPlace, state: PlanState): void {
  const { statements } = state;
  const { settings, preRequest, main, plannedCount } = segment;
  const shared = { statements, scope: statements?.shared, segment: index };
  const own = scopeOf(script, segment, statements);
  const isUncertain = preRequest !== undefined && leavesRoleUncertain(script, statements);
  const scope = isUncertain || script.isEstimated === true ? undefined : own;
  if (segment.isContinued !== true) {
    steps.push(buildStep('settings', settings, shared));
    if (preRequest !== undefined) {
      steps.push(buildStep('preRequest', preRequest, { statements, scope: own, segment: index }));
      const check = { text: ROLE_CHECK, parameters: [script.role] };
      if (scope !== undefined) steps.push(buildStep('roleCheck', check, shared));
      else if (state.isDiscardingPlans) steps.push(DISCARD_PLANS);
    }
  }
  const place = { statements, scope, segment: index };
  const mainStep = buildStep('main', main, place);
  const planned = plannedCount && buildStep('plannedCount', plannedCount, place);
  // The total must be known before the first of several rows.
  const isBehind = main.delivery.kind === 'value';
  if (planned !== undefined && !isBehind) steps.push(planned);
  steps.push(mainStep);
  if (planned !== undefined && isBehind) steps.push(planned);
}

/** Returns the script with other rows. */
export function withRows<T extends ArrivingScript>(script: T, rows: Pieces): T {
  const { segments, arriving } = script;
  const [{ main, ...rest }] = segments;
  const parameters = main.parameters.with(arriving.parameter, rows);
  return { ...script, segments: [{ ...rest, main: { ...main, parameters } }] };
}

/** Returns the step that inserts another batch of rows. */
export function buildNextBatch(
  script: ArrivingScript,
  batch: RowBatch,
  statements: StatementCache | undefined,
): ScriptStep {
  const { segments, arriving } = script;
  const [segment] = segments;
  const isUnnamed = script.isEstimated === true || leavesRoleUncertain(script, statements);
  const place = { statements, scope: isUnnamed ? undefined : scopeOf(script, segment, statements) };
  const { insertion, columnInsertion } = arriving;
  if (columnInsertion !== undefined && batch.columns !== undefined) {
    const parameters = [...batch.columns, ...columnInsertion.parameters.slice(batch.columns.length)];
    return buildStep('insertion', { text: columnInsertion.text, parameters }, place);
  }
  const statement = insertion ?? segment.main;
  const parameters = statement.parameters.with(arriving.parameter, batch.objects(batch.count));
  return buildStep(insertion === undefined ? 'main' : 'insertion', { ...statement, parameters }, place);
}

/** Returns the step that estimates another one, which is unnamed. */
export function buildEstimate(step: ScriptStep): ScriptStep {
  return { ...step, role: 'estimate', text: renderEstimate(step.text ?? ''), resultFormat: 'text', isDescribed: false };
}

function scopeOf(
  { role }: TransactionScript,
  { settings }: Segment,
  statements: StatementCache | undefined,
): StatementScope | undefined {
  const [searchPath] = settings.parameters;
  return statements?.scopeOf(role, typeof searchPath === 'string' ? searchPath : '');
}

/** Whether the results of the main statements decide how the transaction ends. */
export function isHeldOpen(script: TransactionScript): boolean {
  const { segments, arriving } = script;
  return arriving !== undefined || script.continue !== undefined || segments.some(isChecked);
}

function isChecked({ verify, isIncomplete }: Segment): boolean {
  return verify !== undefined || isIncomplete !== undefined;
}

/**
 * Whether the pre-request function may change the role, so that the main statements run as another role than the
 * script's. Statements after it must then not be planned for the script's role. A script that continues does not check
 * the role, because it could not be repeated once a main statement has begun.
 */
export function leavesRoleUncertain(script: TransactionScript, statements: StatementCache | undefined): boolean {
  const hasPreRequest = script.segments.some(({ preRequest }) => preRequest !== undefined);
  return hasPreRequest && (statements === undefined || statements.isRoleUncertain || script.continue !== undefined);
}

/**
 * Returns the steps that end a successful transaction (`operating.md` §4.9) and clean the session. There is no COMMIT
 * if the Sync alone commits.
 */
export function buildEnding(script: TransactionScript, statements: StatementCache | undefined): readonly ScriptStep[] {
  return [...buildTransactionEnd(script, statements), ...buildCleanup(script, statements)];
}

function buildTransactionEnd(script: TransactionScript, statements: StatementCache | undefined): readonly ScriptStep[] {
  if (script.end === 'rollback') return [CHECK_CONSTRAINTS, ROLLBACK];
  if (!hasExplicitBegin(script)) return [];
  if (script.returnsPosition !== true) return [COMMIT];
  return [COMMIT, buildStep('position', LOG_END, { statements, scope: statements?.shared })];
}

/**
 * Without BEGIN the batch is an implicit transaction, which its Sync commits. A write must commit before its position
 * is read and before the session is cleaned, since its deferred triggers need the settings.
 */
function hasExplicitBegin(script: TransactionScript): boolean {
  const { isolation, access, end, leftovers, returnsPosition, isEstimated } = script;
  if (isEstimated === true || returnsPosition === true || (access === 'read write' && leftovers !== 'none'))
    return true;
  return isolation !== undefined || end === 'rollback' || isHeldOpen(script);
}

/** READ WRITE is the default. Requesting it would fail on a standby, where the write itself should fail. */
function renderBegin(script: TransactionScript): string {
  const isolation = script.isolation === undefined ? '' : ` ISOLATION LEVEL ${script.isolation.toUpperCase()}`;
  return `BEGIN${isolation}${script.access === 'read only' ? ' READ ONLY' : ''}`;
}

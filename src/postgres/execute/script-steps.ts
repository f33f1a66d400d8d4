// Expands a transaction script into the statements to send, in order, each with the role of its result. First stage of
// running a script; pure.
import { ROW_CONTENTS } from '../../contract/delivery.ts';
import type { MainStatement, Pieces, Statement } from '../../contract/transaction.ts';
import type { RowBatch } from '../../request/payload/row-batch.ts';
import { renderEstimate } from '../../sql/explain.ts';
import type { ArrivingScript, Segment, TransactionScript } from '../../sql/transaction-script.ts';
import type { StatementCache, StatementScope } from '../session/statement-cache.ts';
import type { StatementCall } from '../wire/encoder.ts';
import { RESET_SETTINGS, type TransactionBounds } from './transaction-bounds.ts';

export type StepRole =
  | 'begin'
  | 'precondition'
  | 'reset'
  | 'settings'
  | 'preRequest'
  | 'roleCheck'
  | 'main'
  | 'estimate'
  | 'insertion'
  | 'plannedCount'
  | 'control'
  | 'commit'
  | 'afterCommit'
  | 'cleanup';

export interface ScriptStep extends StatementCall {
  readonly role: StepRole;
  /** Index of the segment that the step belongs to. Steps of the whole transaction belong to segment 0. */
  readonly segment: number;
  /** The statement to record as prepared when the server confirms it; `undefined` if nothing is being prepared. */
  readonly preparing: { readonly scope: StatementScope; readonly text: string } | undefined;
}

interface StepPlace {
  readonly statements: StatementCache | undefined;
  /** `undefined` sends the statement unnamed. */
  readonly scope: StatementScope | undefined;
  readonly segment: number;
}

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
export function buildSteps(
  script: TransactionScript,
  state: PlanState,
  bounds: TransactionBounds,
): readonly ScriptStep[] {
  const { statements } = state;
  const steps: ScriptStep[] = [];
  const isHeld = isHeldOpen(script);
  const hasBegin = isHeld || hasExplicitBegin(script, bounds);
  if (hasBegin) steps.push(controlStep('begin', bounds.begin(script)));
  if (script.precondition !== undefined) steps.push(buildShared('precondition', script.precondition, statements));
  if (state.isDiscardingPlans && state.planRole !== script.role) steps.push(DISCARD_PLANS);
  addSegments(steps, script, state);
  if (!isHeld && (hasBegin || script.leftovers !== 'none')) addEnding(steps, script, { statements, bounds });
  return script.segments.length > 1 ? sharePreparations(steps) : steps;
}

/** Returns the steps of a further part of a script, whose transaction has begun. */
export function buildPart(
  script: TransactionScript,
  state: PlanState,
  bounds: TransactionBounds,
): readonly ScriptStep[] {
  const steps: ScriptStep[] = [];
  if (script.segments[0].isContinued !== true) addReset(steps, 0, state.statements);
  addSegments(steps, script, state);
  if (!isHeldOpen(script)) addEnding(steps, script, { statements: state.statements, bounds });
  return sharePreparations(steps);
}

/** Each segment starts with the settings of the session, whatever the ones before it have set. */
function addSegments(steps: ScriptStep[], script: TransactionScript, state: PlanState): void {
  const { segments } = script;
  addSegment(steps, script, segments[0], 0, state);
  for (let index = 1; index < segments.length; index += 1) {
    const segment = segments[index];
    if (segment === undefined) continue;
    if (segment.isContinued !== true) addReset(steps, index, state.statements);
    addSegment(steps, script, segment, index, state);
  }
}

// Runs for every request, so objects are written out instead of copied.
function addSegment(
  steps: ScriptStep[],
  script: TransactionScript,
  segment: Segment,
  index: number,
  state: PlanState,
): void {
  const { statements } = state;
  const { settings, passed, preRequest, main, plannedCount } = segment;
  const shared = { statements, scope: statements?.shared, segment: index };
  const own = scopeOf(script, segment, statements);
  const isUncertain = preRequest !== undefined && leavesRoleUncertain(script, statements);
  const scope = isUncertain || script.isEstimated === true ? undefined : own;
  if (segment.isContinued !== true) {
    steps.push(buildStep('settings', settings, shared));
    if (passed !== undefined)
      for (const each of passed)
        steps.push(buildStep('control', each, { statements, scope: undefined, segment: index }));
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
  const scope = isUnnamed ? undefined : scopeOf(script, segment, statements);
  const place = { statements, scope, segment: 0 };
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
export function isHeldOpen({ segments, arriving, continue: follow }: TransactionScript): boolean {
  if (arriving !== undefined || follow !== undefined) return true;
  for (const { verify, isIncomplete } of segments) if (verify !== undefined || isIncomplete !== undefined) return true;
  return false;
}

/**
 * Whether the pre-request function may change the role, so that the main statements run as another role than the
 * script's. Statements after it must then not be planned for the script's role. A script that continues does not check
 * the role, because it could not be repeated once a main statement has begun.
 */
export function leavesRoleUncertain(script: TransactionScript, statements: StatementCache | undefined): boolean {
  const isPossible = statements === undefined || statements.isRoleUncertain || script.continue !== undefined;
  return isPossible && script.segments.some(({ preRequest }) => preRequest !== undefined);
}

/** What decides how a script ends, besides the script. */
export interface Ending {
  readonly statements: StatementCache | undefined;
  readonly bounds: TransactionBounds;
}

/**
 * Returns the steps that end a successful transaction (`operating.md` §4.9) and clean the session. There is no COMMIT
 * if the Sync alone commits.
 */
export function buildEnding(script: TransactionScript, ending: Ending): readonly ScriptStep[] {
  const steps: ScriptStep[] = [];
  addEnding(steps, script, ending);
  return steps;
}

function addEnding(steps: ScriptStep[], script: TransactionScript, { statements, bounds }: Ending): void {
  if (script.end === 'rollback') {
    steps.push(CHECK_CONSTRAINTS, ...buildRollback(bounds));
  } else if (isHeldOpen(script) || hasExplicitBegin(script, bounds)) {
    const last = bounds.commit.length - 1;
    for (const [index, text] of bounds.commit.entries())
      steps.push(controlStep(index === last ? 'commit' : 'control', text));
    if (script.afterCommit !== undefined) steps.push(buildShared('afterCommit', script.afterCommit, statements));
  }
  for (const statement of bounds.cleanups[script.leftovers]) steps.push(buildShared('cleanup', statement, statements));
}

/** Returns the steps that undo what the script has done. */
export function buildRollback({ rollback }: TransactionBounds): readonly ScriptStep[] {
  return rollback.map((text) => controlStep('control', text));
}

/** Returns the steps that clean the session after a script. */
export function buildCleanup({ leftovers }: TransactionScript, { statements, bounds }: Ending): readonly ScriptStep[] {
  return bounds.cleanups[leftovers].map((statement) => buildShared('cleanup', statement, statements));
}

/** Restores the settings of the session, whatever the segments before have set. The segment sets its role again. */
function addReset(steps: ScriptStep[], segment: number, statements: StatementCache | undefined): void {
  const place = { statements, scope: statements?.shared, segment };
  for (const statement of RESET_SETTINGS) steps.push(buildStep('reset', statement, place));
}

/** Returns a step of the whole transaction that runs in the settings of the session. */
function buildShared(role: StepRole, statement: Statement, statements: StatementCache | undefined): ScriptStep {
  return buildStep(role, statement, { statements, scope: statements?.shared, segment: 0 });
}

// Runs several times for every request, so the object is written out instead of copied.
function buildStep(
  role: StepRole,
  statement: Statement | MainStatement,
  { statements, scope, segment }: StepPlace,
): ScriptStep {
  const { text, parameters, memo } = statement;
  const delivery = 'delivery' in statement ? statement.delivery : undefined;
  const known = scope && statements?.find(scope, text);
  const name = known ?? (scope && statements?.nextName(scope, text));
  const isNew = known === undefined && name !== undefined && scope !== undefined;
  return {
    role,
    segment,
    name: name ?? '',
    text: known === undefined ? (isNew ? statements?.textFor(scope, text, name) : text) : undefined,
    parameters,
    memo,
    resultFormat: delivery?.kind === 'value' ? delivery.encoding : 'text',
    isDescribed:
      delivery?.kind === 'countedRows'
        ? ROW_CONTENTS[delivery.format] === 'values'
        : delivery?.kind === 'ndjson' && 'spelledTypes' in delivery,
    preparing: isNew ? { scope, text } : undefined,
  };
}

function controlStep(role: StepRole, text: string): ScriptStep {
  const form = { memo: undefined, resultFormat: 'text', isDescribed: false, preparing: undefined } as const;
  return { role, segment: 0, name: '', text, parameters: [], ...form };
}

/** Returns the steps with one name for each statement that several of them prepare. */
function sharePreparations(steps: readonly ScriptStep[]): readonly ScriptStep[] {
  const names = new Map<string, string>();
  return steps.map((step) => {
    if (step.preparing === undefined) return step;
    const { scope, text } = step.preparing;
    const key = JSON.stringify([scope.role, scope.searchPath, text]);
    const name = names.get(key);
    if (name !== undefined) return { ...step, name, text: undefined, preparing: undefined };
    names.set(key, step.name);
    return step;
  });
}

/**
 * Without BEGIN the statements are an implicit transaction, which their Sync commits. A write must commit before anything
 * is queried after it and before the session is cleaned, since its deferred triggers need the settings.
 */
function hasExplicitBegin(script: TransactionScript, { isImplicit }: TransactionBounds): boolean {
  const { isolation, access, end, leftovers, afterCommit, isEstimated, segments } = script;
  if (!isImplicit || segments[0].passed !== undefined) return true;
  if (isEstimated === true || afterCommit !== undefined || (access === 'read write' && leftovers !== 'none'))
    return true;
  return isolation !== undefined || end === 'rollback';
}

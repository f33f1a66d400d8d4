// In: a transaction script and the statements a connection has prepared. Out: the statements to send, in order, each
// with what its answer means. First stage of running a script; pure.
import type { Statement } from '../contract/transaction.ts';
import type { TransactionScript } from '../sql/transaction-script.ts';
import type { StatementCache } from './statement-cache.ts';
import type { StatementCall } from './wire/encoder.ts';

export type StepRole = 'control' | 'settings' | 'preRequest' | 'main' | 'plannedCount' | 'commit';

export interface ScriptStep extends StatementCall {
  readonly role: StepRole;
  /** Where to note the name once the server confirms it; `undefined` for a statement that is not being prepared. */
  readonly preparing: { readonly scope: string; readonly text: string } | undefined;
}

/** Settings run before the search path is theirs, so one plan serves every search path. */
const SETTINGS_SCOPE = '';

const COMMIT: ScriptStep = controlStep('commit', 'COMMIT');
export const ROLLBACK: ScriptStep = controlStep('control', 'ROLLBACK');
const CHECK_CONSTRAINTS: ScriptStep = controlStep('control', 'SET CONSTRAINTS ALL IMMEDIATE');

/** All of the script up to its main and count statements, and its end as well where nothing is to be judged before. */
export function buildSteps(script: TransactionScript, statements: StatementCache | undefined): ScriptStep[] {
  const [searchPath] = script.settings.parameters;
  const scope = typeof searchPath === 'string' ? searchPath : SETTINGS_SCOPE;
  const steps: ScriptStep[] = [];
  const add = (role: StepRole, statement: Statement | undefined): void => {
    if (statement === undefined) return;
    const isBinary = statement === script.main && script.main.bodyFormat === 'binary';
    const place = { scope: role === 'settings' ? SETTINGS_SCOPE : scope, text: statement.text };
    const name = statements?.find(place.scope, place.text);
    steps.push({
      role,
      name: name ?? statements?.nextName(place.scope, place.text) ?? '',
      text: name === undefined ? statement.text : undefined,
      parameters: statement.parameters,
      resultFormat: isBinary ? 'binary' : 'text',
      preparing: name === undefined && statements !== undefined ? place : undefined,
    });
  };
  if (hasExplicitBegin(script)) steps.push(controlStep('control', renderBegin(script)));
  add('settings', script.settings);
  add('preRequest', script.preRequest);
  add('main', script.main);
  add('plannedCount', script.plannedCount);
  if (script.verify === undefined) steps.push(...buildEnding(script));
  return steps;
}

/** How the transaction ends when all went well (`operations.md` §4.9); nothing where the Sync alone commits. */
export function buildEnding(script: TransactionScript): readonly ScriptStep[] {
  if (script.end === 'rollback') return [CHECK_CONSTRAINTS, ROLLBACK];
  return hasExplicitBegin(script) ? [COMMIT] : [];
}

/** Otherwise the batch is an implicit transaction, which its Sync commits. */
function hasExplicitBegin(script: TransactionScript): boolean {
  return script.isolation !== undefined || script.end === 'rollback' || script.verify !== undefined;
}

/** READ WRITE is left to the default: to ask for it fails on a standby, where the write itself should. */
function renderBegin(script: TransactionScript): string {
  const isolation = script.isolation === undefined ? '' : ` ISOLATION LEVEL ${script.isolation.toUpperCase()}`;
  return `BEGIN${isolation}${script.access === 'read only' ? ' READ ONLY' : ''}`;
}

function controlStep(role: StepRole, text: string): ScriptStep {
  return { role, name: '', text, parameters: [], resultFormat: 'text', preparing: undefined };
}

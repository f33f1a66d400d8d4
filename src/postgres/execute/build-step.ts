// One statement of a transaction as it is sent: by the name under which the connection has prepared it, or with its text.
import { ROW_CONTENTS } from '../../contract/delivery.ts';
import type { MainStatement, Statement } from '../../contract/transaction.ts';
import type { StatementCache, StatementScope } from '../session/statement-cache.ts';
import type { StatementCall } from '../wire/encoder.ts';

export type StepRole =
  | 'begin'
  | 'positionCheck'
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
  | 'position'
  | 'cleanup';

export interface ScriptStep extends StatementCall {
  readonly role: StepRole;
  /** Index of the segment that the step belongs to. Steps of the whole transaction belong to segment 0. */
  readonly segment: number;
  /** The statement to record as prepared when the server confirms it; `undefined` if nothing is being prepared. */
  readonly preparing: { readonly scope: StatementScope; readonly text: string } | undefined;
}

export interface StepPlace {
  readonly statements: StatementCache | undefined;
  /** `undefined` sends the statement unnamed. */
  readonly scope: StatementScope | undefined;
  /** Defaults to 0. */
  readonly segment?: number;
}

export function buildStep(
  role: StepRole,
  statement: Statement | MainStatement,
  { statements, scope, segment = 0 }: StepPlace,
): ScriptStep {
  const { text, parameters } = statement;
  const delivery = 'delivery' in statement ? statement.delivery : undefined;
  const resultFormat = delivery?.kind === 'value' ? delivery.encoding : 'text';
  const isDescribed = delivery?.kind === 'countedRows' && ROW_CONTENTS[delivery.format] === 'values';
  if (statements === undefined || scope === undefined) {
    return { role, segment, name: '', text, parameters, resultFormat, isDescribed, preparing: undefined };
  }
  const known = statements.find(scope, text);
  if (known !== undefined)
    return { role, segment, name: known, text: undefined, parameters, resultFormat, isDescribed, preparing: undefined };
  const name = statements.nextName(scope, text);
  if (name === undefined)
    return { role, segment, name: '', text, parameters, resultFormat, isDescribed, preparing: undefined };
  const marked = statements.textFor(scope, text, name);
  return { role, segment, name, text: marked, parameters, resultFormat, isDescribed, preparing: { scope, text } };
}

export function controlStep(role: StepRole, text: string): ScriptStep {
  const form = { resultFormat: 'text', isDescribed: false } as const;
  return { role, segment: 0, name: '', text, parameters: [], preparing: undefined, ...form };
}

/** Returns the steps with one name for each statement that several of them prepare. */
export function sharePreparations(steps: readonly ScriptStep[]): readonly ScriptStep[] {
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

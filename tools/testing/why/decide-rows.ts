// Lets the policies for a command decide on rows.
import { describePolicies, type DecidedRows, labelRow } from './describe-policies.ts';
import type { Probe, Question } from './probe.ts';
import type { FoundRow } from './row-statements.ts';
import type { Target } from './targets.ts';

/** The table of the rows, and the role. */
export interface DecisionPlace {
  readonly target: Pick<Target, 'facts' | 'own'>;
  readonly probe: Probe;
}

interface Decision extends DecisionPlace, Pick<DecidedRows, 'effect' | 'noun' | 'isPartial'> {
  readonly question: Question;
}

export async function decide(
  rows: readonly FoundRow[],
  { target, probe, question, effect, noun, isPartial }: Decision,
): Promise<DecidedRows> {
  const { facts, own } = target;
  const literals = rows.map(({ literal }) => literal);
  const policies = rows.length === 0 ? undefined : await probe.decide(facts, question, literals);
  const labels = rows.map(({ key, literal }) => labelRow(own, key, literal));
  return {
    table: facts.name.name,
    role: facts.role,
    command: question.command,
    effect,
    noun,
    labels,
    policies,
    isPartial,
  };
}

/** Returns what the policies for a command refuse of rows that are written. */
export async function findRefused(
  rows: readonly FoundRow[],
  place: DecisionPlace,
  { question, noun = 'new row' }: { readonly question: Question; readonly noun?: string },
): Promise<readonly string[]> {
  return describePolicies(await decide(rows, { ...place, question, effect: 'refused', noun }));
}

// Wraps the main statement in EXPLAIN (`writing.md` §16).
import type { MainStatement } from '../contract/transaction.ts';
import type { ExplainPlan } from '../plan/negotiation/negotiate.ts';

/** In the order in which they are rendered. */
const OPTIONS = ['analyze', 'verbose', 'settings', 'buffers', 'wal'] as const;

/** Renders the statement that estimates another one, with the same parameters. */
export function renderEstimate(text: string): string {
  return `EXPLAIN (FORMAT JSON) ${text}`;
}

export function renderExplain(main: MainStatement, plan: ExplainPlan): MainStatement {
  const options = OPTIONS.filter((option) => plan.options.includes(option)).map((option) => option.toUpperCase());
  const list = [`FORMAT ${plan.format.toUpperCase()}`, ...options].join(', ');
  return { text: `EXPLAIN (${list}) ${main.text}`, parameters: main.parameters, delivery: { kind: 'explain' } };
}

// Wraps the main statement in EXPLAIN (`writing.md` §16), and reads estimates.
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

/** A part of a plan that Citus has other servers run. */
export interface RemotePlan {
  /** A node in the output of `EXPLAIN (FORMAT JSON)`. */
  readonly node: unknown;
  /** How many parts like it run. */
  readonly times: number;
}

/** Returns what runs elsewhere for a node of a plan. Citus counts neither its cost nor its rows. */
export function listRemotePlans(node: unknown): readonly RemotePlan[] {
  const query = readProperty(node, 'Distributed Query');
  if (query === undefined) return [];
  const job = readProperty(query, 'Job');
  const tasks = listItems(readProperty(job, 'Tasks'));
  const count = readProperty(job, 'Task Count');
  const times = typeof count === 'number' && tasks.length > 0 ? count / tasks.length : 1;
  return [
    ...tasks.flatMap((task) => listPlans(readProperty(task, 'Remote Plan'), times)),
    ...listItems(readProperty(query, 'Subplans')).flatMap((subplan) =>
      listPlans(readProperty(subplan, 'PlannedStmt'), 1),
    ),
  ];
}

function listPlans(value: unknown, times: number): readonly RemotePlan[] {
  if (Array.isArray(value)) return value.flatMap((item) => listPlans(item, times));
  return [{ node: readProperty(value, 'Plan'), times }];
}

function listItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function readProperty(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** @param text the output of `EXPLAIN (FORMAT JSON)` @returns the estimated number of rows; undefined if it is anything else */
export function readPlanRows(text: string): number | undefined {
  try {
    const plans: unknown = JSON.parse(text);
    return rowsOfNode(readProperty(readProperty(plans, '0'), 'Plan'));
  } catch {
    return undefined;
  }
}

/** @returns undefined if it is no node of a plan */
export function rowsOfNode(node: unknown): number | undefined {
  const rows = readProperty(node, 'Plan Rows');
  if (typeof rows !== 'number') return undefined;
  const remote = readProperty(node, 'Distributed Query') === undefined ? [] : listRemotePlans(node);
  const [first] = remote;
  return first === undefined ? rows : (rowsOfNode(first.node) ?? 0) * first.times;
}

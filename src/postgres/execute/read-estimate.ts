// Reads the estimate of a statement from its execution plan.
// https://www.postgresql.org/docs/current/sql-explain.html
import type { ApiError } from '../../errors/api-error.ts';
import type { Budget, CostEstimate } from '../../sql/transaction-script.ts';

export interface Estimate extends CostEstimate {
  /** Whether the plan does nothing but look up one row in an index, without subqueries. */
  readonly isLookup: boolean;
}

interface PlanNode {
  readonly type: string;
  readonly cost: number;
  readonly rows: number;
  readonly children: readonly PlanNode[];
}

/** Nodes that make one row of all rows, or pass rows on. */
const WRAPPERS: ReadonlySet<string> = new Set(['Aggregate', 'Limit', 'ModifyTable', 'Result', 'Subquery Scan']);
const LOOKUPS: ReadonlySet<string> = new Set(['Index Scan', 'Index Only Scan']);

/** @param text the output of `EXPLAIN (FORMAT JSON)` @returns undefined if it is anything else */
export function readEstimate(text: string): Estimate | undefined {
  const root = parsePlan(text);
  if (root === undefined) return undefined;
  return { cost: root.cost, rows: rowsOf(root), isLookup: isLookup(root) };
}

/** Returns the error that keeps a statement from running; an estimate that cannot be read is one. */
export function checkEstimate(estimate: Estimate | undefined, budget: Budget): ApiError | undefined {
  if (estimate === undefined) return { kind: 'undecodableResult', details: 'expected an execution plan' };
  return estimate.cost <= budget.maxCost ? undefined : budget.exceededBy(estimate);
}

/** The rows that the outermost aggregate or write takes. */
function rowsOf(node: PlanNode): number {
  const [child] = node.children;
  return child !== undefined && WRAPPERS.has(node.type) && node.type !== 'Limit' ? rowsOf(child) : node.rows;
}

/** The cost of a subquery, which a policy may contain, can depend on settings of the request. */
function isLookup({ type, rows, children }: PlanNode): boolean {
  const [child, ...others] = children;
  if (child === undefined) return LOOKUPS.has(type) && rows <= 1;
  return WRAPPERS.has(type) && others.length === 0 && isLookup(child);
}

function parsePlan(text: string): PlanNode | undefined {
  try {
    const plans: unknown = JSON.parse(text);
    return readNode(property(property(plans, '0'), 'Plan'));
  } catch {
    return undefined;
  }
}

function readNode(value: unknown): PlanNode | undefined {
  const [type, cost, rows] = ['Node Type', 'Total Cost', 'Plan Rows'].map((name) => property(value, name));
  if (typeof type !== 'string' || typeof cost !== 'number' || typeof rows !== 'number') return undefined;
  const plans = property(value, 'Plans');
  const children = Array.isArray(plans) ? plans.flatMap((plan: unknown) => readNode(plan) ?? []) : [];
  return { type, cost, rows, children };
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

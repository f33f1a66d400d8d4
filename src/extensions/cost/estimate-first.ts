// Has PostgreSQL estimate the main statements that have a budget before they run (`beyond.md` §1.2). The estimate is
// made by the same transaction, under the settings of the request and after its pre-request function, with the request's
// own values: nothing that the estimate depends on can change until the statement runs. Estimates of statements whose
// cost does not depend on their values are kept for a while (`docs/decisions/cost-budget.md`).
import { fail, ok, type Result } from '../../contract/result.ts';
import { generalForm, type MainStatement, type ScriptResult, type ScriptResults } from '../../contract/transaction.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { listRemotePlans, readProperty, renderEstimate, rowsOfNode } from '../../sql/explain.ts';
import type { ScriptGuard } from '../../sql/script-guard.ts';
import type { Budget, Continue, CostEstimate, Segment, TransactionScript } from '../../sql/transaction-script.ts';
import { type RecentLimits, RecentMap } from '../../util/recent-map.ts';

type NextPart = Result<TransactionScript | undefined, ApiError>;

/** Returns the script in parts of one segment each, with an estimate before each main statement that has a budget. */
function estimateFirst(script: TransactionScript, kept: EstimatingGuard): TransactionScript {
  const { segments } = script;
  if (script.continue === undefined && segments.length === 1 && segments[0].budget === undefined) return script;
  const admitted = kept.admit(script);
  if (admitted.segments.some(({ budget }) => budget !== undefined)) return new EstimatedPart(admitted, kept).start();
  const { continue: follow } = admitted;
  return follow === undefined
    ? admitted
    : { ...admitted, continue: (results) => continueEstimated(follow, results, kept) };
}

/** A later part may have a budget even if the first has none. */
async function continueEstimated(follow: Continue, results: ScriptResults, kept: EstimatingGuard): Promise<NextPart> {
  const next = await follow(results);
  return next.ok && next.value !== undefined ? ok(estimateFirst(next.value, kept)) : next;
}

/** One part of a script, whose segments run one after another. */
class EstimatedPart {
  readonly #part: TransactionScript;
  readonly #kept: EstimatingGuard;

  constructor(part: TransactionScript, kept: EstimatingGuard) {
    this.#part = part;
    this.#kept = kept;
  }

  start(): TransactionScript {
    return this.#begin(this.#part.segments[0], []);
  }

  #begin(segment: Segment, done: readonly ScriptResult[]): TransactionScript {
    const { budget } = segment;
    return budget === undefined ? this.#run(segment, done) : this.#estimate(segment, budget, done);
  }

  #estimate(segment: Segment, budget: Budget, done: readonly ScriptResult[]): TransactionScript {
    return this.#explain(segment, budget.text, (estimate) => {
      const error = checkEstimate(estimate, budget);
      if (error === undefined) return ok(this.#run({ ...segment, isContinued: true }, done));
      const { uncounted } = budget;
      if (uncounted === undefined || error.kind !== 'costExceeded') return fail(error);
      const other = { ...budget, text: uncounted.text, uncounted: undefined };
      return ok(this.#estimate({ ...segment, main: uncounted, isContinued: true }, other, done));
    });
  }

  /** A part that only estimates. */
  #explain(segment: Segment, text: string, decide: (estimate: Estimate | undefined) => NextPart): TransactionScript {
    const { resultLimit: _limit, arriving: _arriving, ...rest } = this.#part;
    const main: MainStatement = {
      text: renderEstimate(text),
      parameters: segment.main.parameters,
      delivery: { kind: 'explain' },
    };
    const next: Continue = ([result]) => {
      const estimate = result.kind === 'lines' ? readEstimate(textOf(result.lines)) : undefined;
      if (estimate !== undefined) this.#kept.note(this.#part, segment, estimate);
      return Promise.resolve(decide(estimate));
    };
    const only = { ...segment, main, plannedCount: undefined, verify: undefined };
    return { ...rest, isEstimated: true, segments: [only], continue: next };
  }

  #run(segment: Segment, done: readonly ScriptResult[]): TransactionScript {
    const { continue: follow, ...part } = this.#part;
    const main = generalForm(segment.main);
    const only: TransactionScript = {
      ...part,
      ...this.#limitAfter(done),
      isEstimated: true,
      // Rows that are still to arrive need it.
      segments: [{ ...segment, main, budget: part.arriving && segment.budget }],
    };
    const next = this.#part.segments[done.length + 1];
    if (next !== undefined)
      return { ...only, continue: async ([result]) => ok(this.#begin(next, append(done, result))) };
    if (follow === undefined) return only;
    return { ...only, continue: ([result]) => continueEstimated(follow, append(done, result), this.#kept) };
  }

  /** The limit on the results of the part, without those that have been received. */
  #limitAfter(done: readonly ScriptResult[]): Pick<TransactionScript, 'resultLimit'> | undefined {
    const { resultLimit } = this.#part;
    if (resultLimit === undefined) return undefined;
    return {
      resultLimit: { ...resultLimit, bytes: done.reduce((rest, one) => rest - sizeOf(one), resultLimit.bytes) },
    };
  }
}

function append([first, ...others]: readonly ScriptResult[], last: ScriptResult): ScriptResults {
  return first === undefined ? [last] : [first, ...others, last];
}

function textOf(lines: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return lines.map((line) => decoder.decode(line)).join('\n');
}

function sizeOf(result: ScriptResult): number {
  if (result.kind === 'lines') return result.lines.reduce((sum, line) => sum + line.length, 0);
  const { body } = result.outcome;
  return body instanceof Uint8Array ? body.length : 0;
}

interface Kept {
  readonly cost: number;
  /** Milliseconds of the monotonic clock. */
  readonly until: number;
}

/** Costs of one statement, by role and search path. */
type KeptByScope = Map<string, Kept>;

const LIMITS: RecentLimits<KeptByScope> = { entries: 256, size: 4096, sizeOf: (kept) => kept.size };
/** An index may be dropped and a table may grow at any time. */
const KEPT_MS = 2000;
/** Budgets must exceed a kept estimate so many times, since partial indexes and growth make small differences. */
const MARGIN = 4;

export class EstimatingGuard implements ScriptGuard {
  #known: RecentMap<string, KeptByScope> = new RecentMap(LIMITS);

  admit(script: TransactionScript): TransactionScript {
    const [first, ...others] = script.segments;
    if (others.length > 0 || first.budget === undefined || !this.#admits(script, first)) return script;
    return { ...script, segments: [{ ...first, budget: undefined }] };
  }

  guard(script: TransactionScript): TransactionScript {
    return estimateFirst(script, this);
  }

  checkPlan(plan: string, budget: Budget): ApiError | undefined {
    return checkEstimate(readEstimate(plan), budget);
  }

  /** @param estimate of the main statement of the segment */
  note(script: TransactionScript, segment: Segment, estimate: Estimate): void {
    if (segment.budget?.isConstant !== true || !estimate.isLookup || segment.preRequest !== undefined) return;
    const { text } = segment.budget;
    const kept: KeptByScope = this.#known.get(text) ?? new Map();
    kept.set(scopeOf(script, segment), { cost: estimate.cost, until: performance.now() + KEPT_MS });
    this.#known.set(text, kept);
  }

  clear(): void {
    this.#known = new RecentMap(LIMITS);
  }

  #admits(script: TransactionScript, segment: Segment): boolean {
    const { budget, preRequest } = segment;
    // The function may change settings that the estimate depends on.
    if (budget?.isConstant !== true || preRequest !== undefined) return false;
    const kept = this.#known.get(budget.text)?.get(scopeOf(script, segment));
    return kept !== undefined && kept.until > performance.now() && kept.cost * MARGIN <= budget.maxCost;
  }
}

function scopeOf({ role }: TransactionScript, { settings }: Segment): string {
  return JSON.stringify([role, settings.parameters[0]]);
}

interface Estimate extends CostEstimate {
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
function readEstimate(text: string): Estimate | undefined {
  const root = parsePlan(text);
  if (root === undefined) return undefined;
  return { cost: root.cost, rows: rowsOf(root), isLookup: isLookup(root) };
}

/** Returns the error that keeps a statement from running; an estimate that cannot be read is one. */
function checkEstimate(estimate: Estimate | undefined, budget: Budget): ApiError | undefined {
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
    return readNode(readProperty(readProperty(plans, '0'), 'Plan'));
  } catch {
    return undefined;
  }
}

function readNode(value: unknown): PlanNode | undefined {
  const [type, cost, rows] = ['Node Type', 'Total Cost', 'Plan Rows'].map((name) => readProperty(value, name));
  if (typeof type !== 'string' || typeof cost !== 'number' || typeof rows !== 'number') return undefined;
  const plans = readProperty(value, 'Plans');
  const children = Array.isArray(plans) ? plans.flatMap((plan: unknown) => readNode(plan) ?? []) : [];
  return { type, cost: cost + costElsewhere(value), rows: rowsOfNode(value) ?? rows, children };
}

/** The cost of what other servers run for the node and those below it. */
function costElsewhere(value: unknown): number {
  const plans = readProperty(value, 'Plans');
  const below = Array.isArray(plans) ? plans.reduce((sum: number, plan) => sum + costElsewhere(plan), 0) : 0;
  return listRemotePlans(value).reduce((sum, { node, times }) => sum + (readNode(node)?.cost ?? 0) * times, below);
}

// Parses the output of `EXPLAIN (FORMAT JSON)` into a tree and computes the share of each step in the total time, or in
// the cost if nothing was measured.

export interface PlanTree {
  readonly root: PlanStep;
  /** `time` in milliseconds if the query was executed, else `cost` in planner units. */
  readonly measure: 'time' | 'cost';
  readonly planningTime: number | undefined;
  readonly executionTime: number | undefined;
}

export interface PlanStep {
  /** The path from the root: `0`, `0.1`. */
  readonly id: string;
  readonly type: string;
  /** The relation, index, function or CTE that it reads. */
  readonly target: string | undefined;
  /** `InitPlan 1`, `CTE x`, or nothing. */
  readonly name: string | undefined;
  readonly rows: { readonly planned: number; readonly actual: number | undefined };
  readonly loops: number;
  readonly total: number;
  readonly own: number;
  /** Share of the total, from 0 to 1. */
  readonly share: number;
  readonly isSlowest: boolean;
  /** Conditions, sort keys and buffers, as text. */
  readonly details: readonly (readonly [label: string, text: string])[];
  readonly children: readonly PlanStep[];
}

/** Returns undefined if the text is not a plan. */
export function readPlan(text: string): PlanTree | undefined {
  const explained = toRecord(firstOf(parse(text)));
  const plan = toRecord(explained?.['Plan']);
  if (explained === undefined || plan === undefined) return undefined;
  const measure = typeof plan['Actual Total Time'] === 'number' ? 'time' : 'cost';
  const raw = measureNode(plan, { id: '0', measure, processes: 1 });
  const owns = subtractChildren(raw);
  const whole = [...owns.values()].reduce((sum, own) => sum + own, 0);
  const largest = Math.max(...owns.values());
  const toStep = (node: MeasuredNode): PlanStep => {
    const own = owns.get(node) ?? 0;
    const { children, fields, processes: _, ...rest } = node;
    return {
      ...rest,
      own,
      share: whole > 0 ? own / whole : 0,
      isSlowest: own > 0 && own === largest,
      details: describeDetails(fields),
      children: children.map((child) => toStep(child)),
    };
  };
  const [planningTime, executionTime] = [numberOf(explained, 'Planning Time'), numberOf(explained, 'Execution Time')];
  return { root: toStep(raw), measure, planningTime, executionTime };
}

type Fields = Readonly<Record<string, unknown>>;

interface MeasuredNode extends Omit<PlanStep, 'own' | 'share' | 'isSlowest' | 'details' | 'children'> {
  readonly fields: Fields;
  readonly processes: number;
  readonly children: readonly MeasuredNode[];
}

interface Position {
  readonly id: string;
  readonly measure: PlanTree['measure'];
  /** Number of parallel processes, whose loops run at the same time. */
  readonly processes: number;
}

function measureNode(fields: Fields, { id, measure, processes }: Position): MeasuredNode {
  const loops = numberOf(fields, 'Actual Loops') ?? 1;
  const time = (numberOf(fields, 'Actual Total Time') ?? 0) * (loops / Math.min(processes, Math.max(loops, 1)));
  const actual = numberOf(fields, 'Actual Rows');
  const below = processes * (1 + (numberOf(fields, 'Workers Launched') ?? 0));
  const plans = Array.isArray(fields['Plans']) ? fields['Plans'] : [];
  return {
    id,
    fields,
    processes,
    type: textOf(fields, 'Node Type') ?? 'Step',
    target: findTarget(fields),
    name: textOf(fields, 'Subplan Name'),
    rows: {
      planned: (numberOf(fields, 'Plan Rows') ?? 0) * Math.max(loops, 1),
      actual: actual === undefined ? undefined : Math.round(actual * loops),
    },
    loops,
    total: measure === 'time' ? time : (numberOf(fields, 'Total Cost') ?? 0),
    children: plans.flatMap((plan, index) => {
      const child = toRecord(plan);
      return child === undefined ? [] : [measureNode(child, { id: `${id}.${index}`, measure, processes: below })];
    }),
  };
}

/** Subtracts a CTE from the step that scans it, because it runs when scanned, and any other step from its parent. */
function subtractChildren(root: MeasuredNode): ReadonlyMap<MeasuredNode, number> {
  const nodes = listNodes(root);
  const owns = new Map(nodes.map((node) => [node, node.total]));
  const subtract = (node: MeasuredNode, amount: number): void => {
    owns.set(node, Math.max(0, (owns.get(node) ?? 0) - amount));
  };
  for (const node of nodes) {
    for (const child of node.children) {
      const expression = /^CTE (?<name>.*)$/su.exec(child.name ?? '')?.groups?.['name'];
      const scan = nodes.find((other) => other.type === 'CTE Scan' && other.target === expression);
      subtract(expression === undefined ? node : (scan ?? node), child.total);
    }
  }
  return owns;
}

function listNodes(node: MeasuredNode): readonly MeasuredNode[] {
  return [node, ...node.children.flatMap((child) => listNodes(child))];
}

function findTarget(fields: Fields): string | undefined {
  const relation = textOf(fields, 'Relation Name');
  const index = textOf(fields, 'Index Name');
  if (relation !== undefined && index !== undefined) return `${relation} by ${index}`;
  return relation ?? index ?? textOf(fields, 'CTE Name') ?? textOf(fields, 'Function Name');
}

const CONDITIONS = [
  'Join Type',
  'Strategy',
  'Index Cond',
  'Recheck Cond',
  'Hash Cond',
  'Merge Cond',
  'Join Filter',
  'Filter',
  'Rows Removed by Filter',
  'Rows Removed by Join Filter',
  'Rows Removed by Index Recheck',
  'Heap Fetches',
  'Sort Key',
  'Group Key',
  'Sort Method',
  'Workers Launched',
  'One-Time Filter',
];

function describeDetails(fields: Fields): PlanStep['details'] {
  const given = CONDITIONS.flatMap((label) => {
    const text = render(fields[label]);
    return text === undefined || text === '0' ? [] : [[label, text] as const];
  });
  const [hit, read] = [numberOf(fields, 'Shared Hit Blocks') ?? 0, numberOf(fields, 'Shared Read Blocks') ?? 0];
  return hit + read === 0 ? given : [...given, ['Pages of 8 kB', `${hit} in memory, ${read} read`]];
}

function render(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(String).join(', ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined;
}

function toRecord(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : undefined;
}

function numberOf(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  return typeof value === 'number' ? value : undefined;
}

function textOf(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}

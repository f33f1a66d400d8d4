// The plan tree of the explorer, built from the JSON of EXPLAIN: the share of each step, and the slowest one.
import { expect, test } from 'vitest';
import { type PlanStep, readPlan } from '../../explorer/src/plan/plan-tree.ts';

interface Node {
  readonly type: string;
  readonly time?: number;
  readonly cost?: number;
  readonly loops?: number;
  readonly rows?: number;
  readonly more?: object;
  readonly plans?: readonly Node[];
}

function toPlan({ type, time, cost = 0, loops = 1, rows = 1, more = {}, plans = [] }: Node): object {
  const actual = time !== undefined && { 'Actual Total Time': time, 'Actual Rows': rows, 'Actual Loops': loops };
  return { 'Node Type': type, 'Total Cost': cost, 'Plan Rows': 10, ...actual, ...more, Plans: plans.map(toPlan) };
}

function read(node: Node): NonNullable<ReturnType<typeof readPlan>> {
  return readPlan(JSON.stringify([{ Plan: toPlan(node), 'Planning Time': 0.5, 'Execution Time': 9 }]))!;
}

function list(step: PlanStep): readonly string[] {
  const own = `${step.type} ${step.own}${step.isSlowest ? ' slowest' : ''}`;
  return [own, ...step.children.flatMap((child) => list(child))];
}

test('the time of a step excludes its children and includes all loops', () => {
  const { root, measure, planningTime, executionTime } = read({
    type: 'Nested Loop',
    time: 100,
    plans: [
      { type: 'Seq Scan', time: 30, rows: 5 },
      { type: 'Index Scan', time: 10, loops: 5, rows: 2 },
    ],
  });
  expect({ measure, planningTime, executionTime }).toEqual({ measure: 'time', planningTime: 0.5, executionTime: 9 });
  expect(list(root)).toEqual(['Nested Loop 20', 'Seq Scan 30', 'Index Scan 50 slowest']);
  expect(root.children[1]).toMatchObject({ id: '0.1', share: 0.5, loops: 5, rows: { planned: 50, actual: 10 } });
});

test('without times, costs are used, and none is negative', () => {
  const { root, measure } = read({ type: 'Limit', cost: 2, plans: [{ type: 'Seq Scan', cost: 40 }] });
  expect(measure).toBe('cost');
  expect(list(root)).toEqual(['Limit 0', 'Seq Scan 40 slowest']);
  expect(root.rows.actual).toBeUndefined();
});

test('parallel processes count as the time of one', () => {
  const { root } = read({
    type: 'Gather',
    time: 100,
    more: { 'Workers Launched': 2 },
    plans: [{ type: 'Seq Scan', time: 90, loops: 3 }],
  });
  expect(list(root)).toEqual(['Gather 10', 'Seq Scan 90 slowest']);
});

test('a CTE is subtracted from the step that scans it', () => {
  const { root } = read({
    type: 'Aggregate',
    time: 50,
    plans: [
      { type: 'Seq Scan', time: 40, more: { 'Subplan Name': 'CTE source' } },
      { type: 'CTE Scan', time: 45, more: { 'CTE Name': 'source' } },
    ],
  });
  expect(list(root)).toEqual(['Aggregate 5', 'Seq Scan 40 slowest', 'CTE Scan 5']);
});

test('a step that was never executed takes no time', () => {
  const { root } = read({ type: 'Append', time: 1, plans: [{ type: 'Result', time: 0, loops: 0, rows: 0 }] });
  expect(list(root)).toEqual(['Append 1 slowest', 'Result 0']);
});

test('a step has its target and conditions', () => {
  const more = {
    'Relation Name': 'houses',
    'Index Name': 'houses_pkey',
    'Index Cond': '(id = 3)',
    'Shared Hit Blocks': 2,
  };
  const { root } = read({ type: 'Index Scan', time: 1, more: { ...more, 'Sort Key': ['a', 'b'], 'Heap Fetches': 0 } });
  expect(root.target).toBe('houses by houses_pkey');
  expect(root.details).toEqual([
    ['Index Cond', '(id = 3)'],
    ['Sort Key', 'a, b'],
    ['Pages of 8 kB', '2 in memory, 0 read'],
  ]);
});

test.each(['', '[]', '{}', '[{"Plan":null}]', '[1]'])('%s is not a plan', (text) => {
  expect(readPlan(text)).toBeUndefined();
});

// Computes the cost of a turn and of an item for each kind of process from CPU times per request with two numbers of
// clients.
import { type Costs, type Setup, simulate } from './closed-loop.ts';
import type { TurnCosts } from './turn-process.ts';

/** Measured CPU time per request in microseconds. */
export type Times = Readonly<Record<keyof Costs, number>>;

export interface Calibration {
  readonly setup: Setup;
  readonly times: Times;
}

/** Items per request. */
const ITEMS: Times = { load: 1, server: 2, database: 1 };
const KINDS = ['load', 'server', 'database'] as const;
const ROUNDS = 12;
/** Damping of the fixed-point iteration: turns depend on costs, and costs on turns. */
const STEP = 0.5;

/**
 * With few clients a request takes more turns than with many. The cost of a turn and that of an item follow from the
 * two times and the simulated numbers of turns.
 */
export function calibrate(few: Calibration, many: Calibration): Costs {
  let costs = mapKinds((kind) => ({ perTurn: many.times[kind] / 4, perItem: many.times[kind] / 2 / ITEMS[kind] }));
  for (let round = 0; round < ROUNDS; round += 1) {
    const [fewUse, manyUse] = [simulate(costs, few.setup).use, simulate(costs, many.setup).use];
    const former = costs;
    costs = mapKinds((kind) => {
      const spread = fewUse[kind].turns - manyUse[kind].turns;
      const rise = (few.times[kind] - many.times[kind]) / spread;
      // Items have a cost: turns account for no more than all of the time with many clients.
      const perTurn = spread > 0 ? Math.min(Math.max(rise, 0), many.times[kind] / manyUse[kind].turns) : 0;
      const perItem = (many.times[kind] - perTurn * manyUse[kind].turns) / ITEMS[kind];
      return approach(former[kind], { perTurn, perItem });
    });
  }
  return costs;
}

function mapKinds(make: (kind: keyof Costs) => TurnCosts): Costs {
  const [load, server, database] = KINDS.map(make) as [TurnCosts, TurnCosts, TurnCosts];
  return { load, server, database };
}

function approach(former: TurnCosts, next: TurnCosts): TurnCosts {
  return {
    perTurn: former.perTurn + STEP * (next.perTurn - former.perTurn),
    perItem: former.perItem + STEP * (next.perItem - former.perItem),
  };
}

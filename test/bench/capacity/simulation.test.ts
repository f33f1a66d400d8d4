// Tests the simulation against closed-form results of queueing theory: Kleinrock, Queueing Systems I, chapters 3 and 5,
// and II, chapter 4. Seeded, so results never change; the tolerances fit runs of this length.
import { describe, expect, test } from 'vitest';
import { Random } from '../../support/generate/random.ts';
import { calibrate } from './calibrate.ts';
import { type Costs, type Setup, simulate } from './closed-loop.ts';
import { Simulation } from './simulation.ts';
import { TurnProcess } from './turn-process.ts';

type Draw = (mean: number) => number;

const CONSTANT: Draw = (mean) => mean;
const CUSTOMERS = 100_000;

function exponential(seed: number): Draw {
  const random = new Random(seed);
  return (mean) => -Math.log((random.roll(1_000_000_000) + 1) / 1_000_000_000) * mean;
}

/**
 * Returns the mean time from arrival to departure with independent arrivals; `serve` is called when a customer leaves.
 */
function meanStay(
  cores: number,
  rate: number,
  join: (simulation: Simulation, serve: () => void) => () => void,
): number {
  const simulation = new Simulation(cores);
  const draw = exponential(1);
  // Customers leave in order, or are interchangeable: the sum of all stays does not depend on their identity.
  let [sum, left] = [0, 0];
  const arrive = join(simulation, () => {
    sum += simulation.now;
    left += 1;
  });
  const next = (come: number): void => {
    if (come === CUSTOMERS) return;
    simulation.after(draw(1 / rate), () => {
      sum -= simulation.now;
      arrive();
      next(come + 1);
    });
  };
  next(0);
  simulation.runUntil(Infinity);
  expect(left).toBe(CUSTOMERS);
  return sum / CUSTOMERS;
}

/** First come, first served. */
function queue(draw: Draw): (simulation: Simulation, serve: () => void) => () => void {
  return (simulation, onItem) => {
    const process = new TurnProcess<string>(simulation, { perTurn: 0, perItem: 1 }, draw, { onItem });
    return () => process.push('customer');
  };
}

/** Processor sharing: all customers are served at once, with equal shares of the cores. */
function sharing(draw: Draw): (simulation: Simulation, serve: () => void) => () => void {
  return (simulation, serve) => () => simulation.run(draw(1), serve);
}

describe('queues with independent arrivals', () => {
  test.each([0.3, 0.7])('M/M/1 at %s: 1 / (1 - load)', (load) => {
    expect(meanStay(1, load, queue(exponential(2))) * (1 - load)).toBeCloseTo(1, 1);
  });

  test.each([0.3, 0.7])('M/D/1 at %s: half the wait of M/M/1', (load) => {
    const wait = load / (2 * (1 - load));
    expect(meanStay(1, load, queue(CONSTANT)) / (1 + wait)).toBeCloseTo(1, 1);
  });

  test('one core shared by all: the mean stay equals that of M/M/1 for any distribution of the work', () => {
    expect(meanStay(1, 0.7, sharing(CONSTANT)) * 0.3).toBeCloseTo(1, 1);
    expect(meanStay(1, 0.7, sharing(exponential(2))) * 0.3).toBeCloseTo(1, 1);
  });

  test('two cores shared by all: M/M/2, 1 / (1 - load²)', () => {
    expect(meanStay(2, 1.4, sharing(exponential(2))) * (1 - 0.7 ** 2)).toBeCloseTo(1, 1);
  });

  test('one and a half cores: a single task gets one core, two tasks get three quarters each', () => {
    const simulation = new Simulation(1.5);
    const ends: number[] = [];
    for (const work of [3, 6]) simulation.run(work, () => ends.push(simulation.now));
    simulation.runUntil(100);
    expect(ends).toEqual([4, 7]);
    expect(simulation.now).toBe(7);
  });
});

describe('closed loops', () => {
  test.each([1, 4, 12])('machine repairman with %i machines', (machines) => {
    const [thinking, serving, length] = [5, 1, 200_000];
    const simulation = new Simulation(1);
    const [think, serve] = [exponential(3), exponential(4)];
    let served = 0;
    const pause = (): void => simulation.after(think(thinking), () => repairman.push('machine'));
    const onItem = (): void => {
      served += 1;
      pause();
    };
    const repairman = new TurnProcess<string>(simulation, { perTurn: 0, perItem: serving }, serve, { onItem });
    for (let machine = 0; machine < machines; machine += 1) pause();
    simulation.runUntil(length);
    expect(served / length / repairedPerTime(machines, serving / thinking, serving)).toBeCloseTo(1, 1);
  });

  /** The utilization of the server, from the state probabilities of a birth–death process. */
  function repairedPerTime(machines: number, ratio: number, serving: number): number {
    const weights = [1];
    for (let waiting = 1; waiting <= machines; waiting += 1) {
      weights.push((weights[waiting - 1] ?? 0) * (machines - waiting + 1) * ratio);
    }
    const idle = 1 / weights.reduce((sum, weight) => sum + weight, 0);
    return (1 - idle) / serving;
  }

  const COSTS: Costs = {
    load: { perTurn: 10, perItem: 20 },
    server: { perTurn: 40, perItem: 25 },
    database: { perTurn: 30, perItem: 30 },
  };
  const SETUP: Setup = { clients: 16, workers: 1, pool: 10, cores: 2 };

  test('the model never exceeds the cores, gives a process at most one, and its stays add up to the clients', () => {
    for (const setup of [SETUP, { ...SETUP, workers: 2 }, { ...SETUP, cores: 64 }]) {
      const { rate, use, p50, p99 } = simulate(COSTS, setup);
      const cores = ((use.load.time + use.server.time + use.database.time) * rate) / 1_000_000;
      expect(cores).toBeLessThanOrEqual(setup.cores * 1.001);
      expect(use.load.time * rate).toBeLessThanOrEqual(1_001_000);
      expect(use.server.time * rate).toBeLessThanOrEqual(setup.workers * 1_001_000);
      expect(p50).toBeGreaterThan((setup.clients / rate) * 500_000);
      expect(p99).toBeGreaterThan(p50);
    }
  });

  test('a single client waits for each stage: two turns of the server and one of the others', () => {
    const { rate, use } = simulate(COSTS, { ...SETUP, clients: 1 });
    expect(use.server.turns).toBeCloseTo(2, 2);
    expect(1_000_000 / rate / (30 + 2 * 65 + 60)).toBeCloseTo(1, 1);
  });

  test('more clients share turns; a second worker increases the rate only if there are idle cores', () => {
    const many = simulate(COSTS, { ...SETUP, clients: 64 });
    expect(many.use.server.turns).toBeLessThan(simulate(COSTS, SETUP).use.server.turns);
    const rateOf = (workers: number, cores: number): number =>
      simulate(COSTS, { ...SETUP, clients: 64, workers, cores }).rate;
    expect(rateOf(2, 8) / rateOf(1, 8)).toBeGreaterThan(1.5);
    expect(rateOf(2, 1) / rateOf(1, 1)).toBeLessThan(1.05);
  });

  test('calibration recovers the costs behind the CPU times of two setups', () => {
    const [few, many] = [4, 64].map((clients) => {
      const setup = { ...SETUP, clients };
      const { load, server, database } = simulate(COSTS, setup).use;
      return { setup, times: { load: load.time, server: server.time, database: database.time } };
    });
    const found = calibrate(few!, many!);
    for (const setup of [SETUP, { ...SETUP, workers: 2 }]) {
      const [expected, predicted] = [simulate(COSTS, setup), simulate(found, setup)];
      expect(predicted.rate / expected.rate).toBeCloseTo(1, 1);
      expect(predicted.use.server.time / expected.use.server.time).toBeCloseTo(1, 1);
    }
  });
});

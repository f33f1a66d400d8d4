// A single-threaded process that works in turns, like an event loop or a backend: each turn takes everything that has
// arrived.
import type { Simulation } from './simulation.ts';

/** CPU time per turn, however much it has to do, and per item. */
export interface TurnCosts {
  readonly perTurn: number;
  readonly perItem: number;
}

export interface TurnHandlers<Item> {
  /** Called after the work on each item. */
  readonly onItem: (item: Item) => void;
  readonly onTurnEnd?: () => void;
}

export class TurnProcess<Item> {
  readonly #simulation: Simulation;
  readonly #costs: TurnCosts;
  readonly #vary: (work: number) => number;
  readonly #handlers: TurnHandlers<Item>;
  #inbox: Item[] = [];
  #isRunning = false;
  #turnCount = 0;
  #time = 0;

  /** @param vary draws the duration of a turn or item from its mean */
  constructor(simulation: Simulation, costs: TurnCosts, vary: (work: number) => number, handlers: TurnHandlers<Item>) {
    this.#simulation = simulation;
    this.#costs = costs;
    this.#vary = vary;
    this.#handlers = handlers;
  }

  /** Number of turns so far. */
  get turnCount(): number {
    return this.#turnCount;
  }

  /** CPU time so far. */
  get time(): number {
    return this.#time;
  }

  push(item: Item): void {
    this.#inbox.push(item);
    if (!this.#isRunning) this.#startTurn();
  }

  #startTurn(): void {
    this.#isRunning = true;
    this.#turnCount += 1;
    this.#work(this.#costs.perTurn, () => this.#next(this.#inbox.splice(0), 0));
  }

  #next(items: readonly Item[], index: number): void {
    const item = items[index];
    if (item === undefined) return this.#endTurn();
    this.#work(this.#costs.perItem, () => {
      this.#handlers.onItem(item);
      this.#next(items, index + 1);
    });
  }

  #endTurn(): void {
    this.#isRunning = false;
    this.#handlers.onTurnEnd?.();
    if (this.#inbox.length > 0) this.#startTurn();
  }

  #work(mean: number, happen: () => void): void {
    const work = this.#vary(mean);
    this.#time += work;
    this.#simulation.run(work, happen);
  }
}

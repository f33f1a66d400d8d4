// Long computations as generators that yield every fraction of a millisecond. At each `yield` the caller may run other
// work; the caller watches the clock and decides how long to continue without a pause.

export type Slices<T> = Generator<undefined, T, undefined>;

const ITEMS_PER_SLICE = 16;

/** Visits every item, several per slice. */
export function* visitInSlices<T>(items: Iterable<T>, visit: (item: T) => void): Slices<undefined> {
  let count = 0;
  for (const item of items) {
    visit(item);
    count += 1;
    if (count % ITEMS_PER_SLICE === 0) yield;
  }
  return undefined;
}

/** Works like `flatMap`, several items per slice. */
export function* flatMapInSlices<T, U>(items: Iterable<T>, convert: (item: T) => readonly U[]): Slices<U[]> {
  const converted: U[] = [];
  yield* visitInSlices(items, (item) => {
    for (const made of convert(item)) converted.push(made);
  });
  return converted;
}

/** Runs all slices without a pause. */
export function runSlices<T>(slices: Slices<T>): T {
  for (;;) {
    const step = slices.next();
    if (step.done === true) return step.value;
  }
}

/** Calls `pause` after each slice. Returns the value itself, not a promise, if the first slice completes it. */
export function runSlicesWithPauses<T>(slices: Slices<T>, pause: () => Promise<unknown>): T | Promise<T> {
  const first = slices.next();
  return first.done === true ? first.value : runFurtherSlices(slices, pause);
}

async function runFurtherSlices<T>(slices: Slices<T>, pause: () => Promise<unknown>): Promise<T> {
  for (;;) {
    await pause();
    const step = slices.next();
    if (step.done === true) return step.value;
  }
}

/** About as many units of work, each about a nanosecond, as a slice should have. */
const UNITS_PER_SLICE = 65_536;

/** Counts work that consists of steps of different lengths. */
export class SliceMeter {
  #units = 0;

  /** @returns whether the slice is full, and the next one begins */
  add(units: number): boolean {
    this.#units += units;
    if (this.#units < UNITS_PER_SLICE) return false;
    this.#units = 0;
    return true;
  }
}

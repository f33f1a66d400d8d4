// Long computations in slices of far less than a millisecond, as generators: at every `yield` the caller may run other
// work. The caller, which knows the clock, decides how long to go on without a pause.

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

/** Like `flatMap`, several items per slice. */
export function* flatMapInSlices<T, U>(items: Iterable<T>, convert: (item: T) => readonly U[]): Slices<U[]> {
  const converted: U[] = [];
  yield* visitInSlices(items, (item) => {
    for (const made of convert(item)) converted.push(made);
  });
  return converted;
}

/** Runs all slices at once. */
export function runSlices<T>(slices: Slices<T>): T {
  for (;;) {
    const step = slices.next();
    if (step.done === true) return step.value;
  }
}

/** Calls `pause` after each slice; it decides whether to yield to other work. What ends with its first slice needs no promise. */
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

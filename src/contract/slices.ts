// Long work cut into slices of far less than a millisecond: every `yield` is a place where the caller may let other work
// run. How long it works without a pause is the decision of the caller, who knows the clock.

export type Slices<T> = Generator<undefined, T, undefined>;

const ITEMS_PER_SLICE = 16;

/** Visits every item, a few of them a slice. */
export function* visitInSlices<T>(items: Iterable<T>, visit: (item: T) => void): Slices<undefined> {
  let count = 0;
  for (const item of items) {
    visit(item);
    count += 1;
    if (count % ITEMS_PER_SLICE === 0) yield;
  }
  return undefined;
}

/** What `convert` makes of all items, put together. */
export function* flatMapInSlices<T, U>(items: Iterable<T>, convert: (item: T) => readonly U[]): Slices<U[]> {
  const converted: U[] = [];
  yield* visitInSlices(items, (item) => {
    for (const made of convert(item)) converted.push(made);
  });
  return converted;
}

/** Does the whole work at once. */
export function runSlices<T>(slices: Slices<T>): T {
  for (;;) {
    const step = slices.next();
    if (step.done === true) return step.value;
  }
}

/** `pause` is called after each slice: it decides whether other work gets its turn. */
export async function runSlicesWithPauses<T>(slices: Slices<T>, pause: () => Promise<unknown>): Promise<T> {
  for (;;) {
    const step = slices.next();
    if (step.done) return step.value;
    await pause();
  }
}

// Limits the memory for young objects, which V8 grows to 32 MB and, from Node 24 on, to 128 MB if a server is busy.
// Only a process that is nothing but a server may do that: V8's flags concern all of a process.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** In bytes, of each of the two halves: a fifth less memory under load than with 16 MB, for about 5 % of CPU time. */
const LIMIT = 4 * 1024 * 1024;

/** While the code is loaded, most young objects survive: V8 would grow the space, but not need it. */
let limit = 0;
let isGrowing = true;

/** Call it once, before the code of the server is loaded. */
export function limitYoungGeneration(): void {
  adjustGrowth();
  // V8 also shrinks the space when the process is idle, so this never ends.
  new PerformanceObserver(adjustGrowth).observe({ entryTypes: ['gc'] });
}

/** Call it when the server has started. */
export function endStartOfYoungGeneration(): void {
  limit = LIMIT;
  adjustGrowth();
}

/** V8 reads the option for the largest size only at its own start, but the factor by which it grows each time. */
function adjustGrowth(): void {
  const mayGrow = 2 * readCapacity() <= limit;
  if (mayGrow === isGrowing) return;
  isGrowing = mayGrow;
  setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
}

/**
 * Returns the bytes that one half may hold. From Node 26 on, V8 allocates the pages of a half only when it fills them, so
 * `space_size` lags behind the size to which V8 has decided to grow.
 */
function readCapacity(): number {
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  return space === undefined ? Infinity : space.space_used_size + space.space_available_size;
}

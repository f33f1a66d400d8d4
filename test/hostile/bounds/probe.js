// Preloaded into the server (`node --expose-gc --import …?port=…`): measures, between two calls over HTTP, how long the
// thread runs without a pause, and how much memory is in use. Timers beat every millisecond: what lies between two beats
// is one stretch. Counts the CPU time of the thread, which the load of other processes does not change.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import process from 'node:process';

const BEAT_MS = 1;
/** Growth of the heap that is worth a collection. */
const COLLECTED_BYTES = 4_194_304;

let beat;
let last = 0;
let longest = 0;
let base = 0;
let collected = 0;
let highest = 0;

/** Linux counts nanoseconds per thread; elsewhere the clock has to do. */
function milliseconds() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ', 1)[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

function usedBytes() {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Counts what is in use, not what waits for the garbage collector. */
function measureMemory() {
  if (usedBytes() < collected + COLLECTED_BYTES) return;
  globalThis.gc();
  collected = usedBytes();
  highest = Math.max(highest, collected);
}

const ORDERS = {
  '/time': () => {
    longest = 0;
    last = milliseconds();
    beat = setInterval(() => {
      const now = milliseconds();
      longest = Math.max(longest, now - last);
      last = now;
    }, BEAT_MS);
  },
  '/memory': () => {
    globalThis.gc();
    base = collected = highest = usedBytes();
    beat = setInterval(measureMemory, BEAT_MS);
  },
  '/end': () => clearInterval(beat),
};

const { searchParams } = new URL(import.meta.url);
createServer(({ url }, response) => {
  ORDERS[url]();
  response.end(JSON.stringify({ longest, grown: highest - base }));
})
  .listen(Number(searchParams.get('port')), '127.0.0.1')
  .unref();

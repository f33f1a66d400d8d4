// Preloaded into the built server (`node --import`): counts, on request of the parent process, the calls of our functions,
// the bytes that they allocate, and promises. Its clock is so slow that no statement takes long: the server sends slow
// reads alone, and on a loaded machine all are slow.
import { Session } from 'node:inspector';
import process from 'node:process';
import { promiseHooks } from 'node:v8';

/** In bytes: every allocation is a sample. */
const SAMPLING_INTERVAL = 1;

const SLOWDOWN = 1000;
const readClock = performance.now.bind(performance);
performance.now = () => readClock() / SLOWDOWN;

const session = new Session();
session.connect();
post('Profiler.enable');
post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

let promises = 0;
let stopHook;

/** Message of the parent process → what to do; the result is sent back. */
const ORDERS = {
  startCalls() {
    promises = 0;
    stopHook = promiseHooks.onInit(() => {
      promises += 1;
    });
    post('Profiler.takePreciseCoverage');
  },
  stopCalls() {
    stopHook();
    const { result } = post('Profiler.takePreciseCoverage');
    const functions = result.filter(({ url }) => isOurs(url)).flatMap((script) => script.functions);
    const calls = sum(functions.map(({ ranges }) => ranges[0].count));
    return { calls, promises };
  },
  startBytes() {
    post('HeapProfiler.startSampling', {
      samplingInterval: SAMPLING_INTERVAL,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
  },
  stopBytes() {
    const { profile } = post('HeapProfiler.stopSampling');
    return { bytes: sumBytes(profile.head, false) };
  },
};

process.on('message', (order) => process.send({ ...ORDERS[order]() }));
// The channel does not keep the server alive.
process.channel?.unref();

/** What a builtin function such as `map` allocates belongs to its caller. */
function sumBytes({ callFrame, selfSize, children }, isCallerOurs) {
  const counts = callFrame.url === '' ? isCallerOurs : isOurs(callFrame.url);
  return (counts ? selfSize : 0) + sum(children.map((child) => sumBytes(child, counts)));
}

function isOurs(url) {
  return url.includes('/dist/');
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Commands of a session in the same thread are synchronous. */
function post(method, parameters = {}) {
  let outcome;
  session.post(method, parameters, (error, result) => {
    if (error !== null) throw new Error(error.message);
    outcome = result;
  });
  return outcome;
}

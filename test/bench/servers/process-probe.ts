// Preloaded into the server (`node --import`): reports to the parent process, on request, the longest block of the
// event loop since the last report, and the memory use.
import { openSync, readSync } from 'node:fs';

export interface ProbeReport {
  /** Longest time between two turns of the event loop in milliseconds. */
  readonly longestBlock: number;
  /** CPU time of the longest turn in milliseconds, which excludes time used by other processes. */
  readonly longestWork: number;
  /** In bytes. */
  readonly heap: number;
  readonly resident: number;
}

/** In milliseconds. */
const TICK = 2;

/** CPU time of this thread in Linux: https://docs.kernel.org/scheduler/sched-stats.html */
const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
const buffer = Buffer.alloc(100);

let [lastTime, lastWork, longestBlock, longestWork] = [performance.now(), readWork(), 0, 0];

setInterval(() => {
  const [time, work] = [performance.now(), readWork()];
  longestBlock = Math.max(longestBlock, time - lastTime - TICK);
  longestWork = Math.max(longestWork, work - lastWork);
  [lastTime, lastWork] = [time, work];
}, TICK).unref();

process.on('message', () => {
  const memory = process.memoryUsage();
  const report: ProbeReport = { longestBlock, longestWork, heap: memory.heapUsed, resident: memory.rss };
  process.send?.(report);
  [longestBlock, longestWork] = [0, 0];
});
// Do not keep the server alive because of this channel.
process.channel?.unref();

/** Returns the CPU time of this thread in milliseconds. */
function readWork(): number {
  const length = readSync(file, buffer, 0, buffer.length, 0);
  return Number(buffer.toString('latin1', 0, length).split(' ')[0]) / 1e6;
}

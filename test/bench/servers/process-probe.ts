// Loaded into the server before its own code (`node --import`): tells the process that started it, when asked, how long
// the event loop has been held up at most since the last time, and what memory it takes.
import { openSync, readSync } from 'node:fs';

export interface ProbeReport {
  /** Milliseconds between two turns of the event loop. */
  readonly longestBlock: number;
  /** Milliseconds of CPU time in one of them: without the time for which other processes had the CPU. */
  readonly longestWork: number;
  /** Bytes. */
  readonly heap: number;
  readonly resident: number;
}

/** Milliseconds. */
const TICK = 2;

/** CPU time of this thread, as Linux counts it: https://docs.kernel.org/scheduler/sched-stats.html */
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
// The server shall end when it wants to, not when its starter does.
process.channel?.unref();

/** Milliseconds. */
function readWork(): number {
  const length = readSync(file, buffer, 0, buffer.length, 0);
  return Number(buffer.toString('latin1', 0, length).split(' ')[0]) / 1e6;
}

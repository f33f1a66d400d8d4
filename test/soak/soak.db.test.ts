// The server under mixed load while its surroundings change: its responses, and that no resource grows. A normal run
// takes seconds and only checks the measurement; `npm run test:soak -- --minutes 20` also checks the slopes.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runSoak, type SoakResult } from './run-soak.ts';
import { findSlopes } from './slopes.ts';
import { describeSoak, checkSoak, writePlot } from './soak-report.ts';
import type { Sample } from './take-sample.ts';
import { useFolder } from '../support/use.ts';

const given = process.env['ROWHOUSE_SOAK_MINUTES'];
const minutes = Number(given ?? 0.2);
const seed = Number(process.env['ROWHOUSE_SOAK_SEED'] ?? 1);
const givenRate = process.env['ROWHOUSE_SOAK_RATE'];
const MODEST_RATE = 150;
/** In shorter runs, filling caches look like leaks. */
const MIN_MINUTES_FOR_SLOPES = 10;
const LONG = 36_000_000;

function chooseRate(): number | undefined {
  if (givenRate !== undefined) return Number(givenRate);
  return given === undefined ? MODEST_RATE : undefined;
}

/** Keeps table and plot of a long run; checks and deletes the plot of a short one. */
function keep(result: SoakResult): string {
  if (given === undefined) {
    const folder = useFolder();
    const svg = readFileSync(writePlot(result, folder), 'utf8');
    return svg;
  }
  const folder = path.resolve('.rowhouse/soak', new Date().toISOString().replaceAll(':', '-'));
  const file = writePlot(result, folder);
  writeFileSync(path.join(folder, 'soak.txt'), describeSoak(result));
  console.log(`${describeSoak(result)}\n${file}`);
  return readFileSync(file, 'utf8');
}

function onSample({ time, p99, resident, heap }: Sample): void {
  if (given === undefined) return;
  console.log(
    `${time.toFixed(1)} min: p99 ${p99.toFixed(0)} ms, RSS ${resident.toFixed(0)} MB, heap ${heap.toFixed(0)} MB`,
  );
}

// Process figures are available on Linux only.
test.runIf(process.platform === 'linux')(
  `${minutes} minutes of mixed load: no unexpected response, no leaked handle, and no growth`,
  async () => {
    const result = await runSoak({ minutes, seed, rate: chooseRate(), onSample });
    const svg = keep(result);
    expect(checkSoak(result, minutes < MIN_MINUTES_FOR_SLOPES ? [] : findSlopes(result.samples))).toEqual([]);
    // Includes figures that a busy machine has not produced yet.
    expect(svg.match(/<polyline points="[\d., ]*"/gu)).toHaveLength(7);
    expect(result.samples.length).toBeGreaterThan(3);
    for (const figure of ['resident', 'heap', 'sessionMemory'] as const)
      expect(result.samples.findLast((sample) => sample[figure] !== undefined)?.[figure], figure).toBeGreaterThan(1);
    expect(result.recoveries.length).toBeGreaterThan(0);
    expect(describeSoak(result)).toMatch(/^\d+ requests, \d+ a second; 0 undue answers/u);
  },
  LONG,
);

// The server under a mixed load while everything around it changes: what it answers, and that nothing grows. A test run
// takes seconds and sees that the measuring works; `npm run test:soak -- --minutes 20` checks the slopes too.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runSoak, type SoakResult } from './run-soak.ts';
import { findSlopes } from './slopes.ts';
import { describeSoak, checkSoak, writePlot } from './soak-report.ts';
import type { Sample } from './take-sample.ts';

const given = process.env['ROWHOUSE_SOAK_MINUTES'];
const minutes = Number(given ?? 0.2);
const seed = Number(process.env['ROWHOUSE_SOAK_SEED'] ?? 1);
const givenRate = process.env['ROWHOUSE_SOAK_RATE'];
const MODEST_RATE = 150;
/** Before, caches that fill look like leaks. */
const MIN_MINUTES_FOR_SLOPES = 10;
const LONG = 36_000_000;

function chooseRate(): number | undefined {
  if (givenRate !== undefined) return Number(givenRate);
  return given === undefined ? MODEST_RATE : undefined;
}

/** Keeps table and picture of a long run; the picture of a short one is looked at and thrown away. */
function keep(result: SoakResult): string {
  if (given === undefined) {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'rowhouse-soak-plot-'));
    const svg = readFileSync(writePlot(result, folder), 'utf8');
    rmSync(folder, { recursive: true });
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

// Figures of processes are read as Linux shows them.
test.runIf(process.platform === 'linux')(
  `${minutes} minutes of mixed load: no undue answer, no handle left open, and nothing that grows`,
  async () => {
    const result = await runSoak({ minutes, seed, rate: chooseRate(), onSample });
    const svg = keep(result);
    expect(checkSoak(result, minutes < MIN_MINUTES_FOR_SLOPES ? [] : findSlopes(result.samples))).toEqual([]);
    // Also those of which a busy machine has no figure yet.
    expect(svg.match(/<polyline points="[\d., ]*"/gu)).toHaveLength(7);
    expect(result.samples.length).toBeGreaterThan(3);
    for (const figure of ['resident', 'heap', 'sessionMemory'] as const)
      expect(result.samples.findLast((sample) => sample[figure] !== undefined)?.[figure], figure).toBeGreaterThan(1);
    expect(result.recoveries.length).toBeGreaterThan(0);
    expect(describeSoak(result)).toMatch(/^\d+ requests, \d+ a second; 0 undue answers/u);
  },
  LONG,
);

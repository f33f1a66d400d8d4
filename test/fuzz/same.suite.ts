// Random requests through this build and the build of another commit, over copies of one database: status line, headers
// with their order, and body have the same bytes. Run by `npm run test:fuzz -- --suite same --against COMMIT`; a folder with
// a build serves as well.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildCommit, type CommitBuild } from '../bench/commit-build.ts';
import { LANES } from './same/lanes.ts';
import { compareTwins, type Report } from './same/twins.ts';

const against = process.env['ROWHOUSE_FUZZ_AGAINST'] ?? '';
const count = Number(process.env['ROWHOUSE_FUZZ_COUNT'] ?? 1000);
const seed = Number(process.env['ROWHOUSE_FUZZ_SEED'] ?? 1);
const HOURS = 3_600_000;

let build: CommitBuild;
beforeAll(() => {
  build = existsSync(against) ? { folder: against, remove: () => undefined } : buildCommit(against);
}, HOURS);
afterAll(() => build?.remove());

test.concurrent.each(LANES)(
  `$name: ${count} requests from seed ${seed} are answered as by ${against}`,
  async (lane) => {
    const base = path.join(build.folder, 'dist/cli/main.js');
    const onProgress = (soFar: Report): void => console.log(describeReport(lane.name, soFar));
    const report = await compareTwins({ lane, base, seed, count: Math.ceil(count / LANES.length), onProgress });
    onProgress(report);
    expect(report.problems.join('\n\n')).toBe('');
  },
  24 * HOURS,
);

function describeReport(name: string, { sent, kinds, intended, problems }: Report): string {
  const list = (counts: ReadonlyMap<string, number>): string =>
    [...counts]
      .sort(([, a], [, b]) => b - a)
      .map(([key, number]) => `${key}: ${number}`)
      .join(', ');
  return [
    `${name}: ${sent} requests, ${problems.length} differences`,
    `  ${list(kinds)}`,
    ...problems.slice(-3),
    ...(intended.size === 0 ? [] : [`  intended: ${list(intended)}`]),
  ].join('\n');
}

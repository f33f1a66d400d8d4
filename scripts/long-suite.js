// Runs a folder of tests in its long form: npm run test:hostile, npm run test:faults, npm run test:live. The files run
// sequentially, because parallel tests would distort their measurements.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { ensureBuilt } from './build/ensure-built.js';

const [folder, ...rest] = process.argv.slice(2);
/** Additional folders of a suite. */
const MORE = { faults: ['test/endings'], live: ['test/server/live'] };
const inTurn = ['--no-file-parallelism', '--disable-console-intercept'];
ensureBuilt();
const run = spawnSync('npx', ['vitest', 'run', `test/${folder}`, ...(MORE[folder] ?? []), ...rest, ...inTurn], {
  stdio: 'inherit',
  env: { ...process.env, ROWHOUSE_LONG: '1' },
});
process.exitCode = run.status ?? 1;

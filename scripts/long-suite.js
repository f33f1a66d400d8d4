// Runs a folder of tests in its long form: npm run test:hostile, npm run test:faults.
import { spawnSync } from 'node:child_process';
import process from 'node:process';

const [folder, ...rest] = process.argv.slice(2);
const run = spawnSync('npx', ['vitest', 'run', `test/${folder}`, ...rest, '--disable-console-intercept'], {
  stdio: 'inherit',
  env: { ...process.env, ROWHOUSE_LONG: '1' },
});
process.exitCode = run.status ?? 1;

// Runs the tests of what workers must not change once more with two of them: `npm run test:workers`, or with another number
// of them `npm run test:workers -- 3`. Tests of the log are left out: its lines come a moment after the answers.
import { spawnSync } from 'node:child_process';
import process from 'node:process';

const SUITES = [
  'admin',
  'connection-use',
  'heads',
  'port-sharing',
  'reloads',
  'replicas',
  'request-metrics',
  'shutdown',
  'slow-clients',
  'status',
];

const [count = '2'] = process.argv.slice(2);
const files = SUITES.map((name) => `test/server/${name}.test.ts`);
const env = { ...process.env, ROWHOUSE_TEST_WORKERS: count };
const { status } = spawnSync('npx', ['vitest', 'run', ...files], { stdio: 'inherit', env });
process.exitCode = status ?? 1;

// Runs tests of behavior that must not depend on workers with two of them: `npm run test:workers`, or with another
// number: `npm run test:workers -- 3`. Omits tests of the log, whose lines arrive shortly after the responses.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { ensureBuilt } from './build/ensure-built.js';

const FILES = [
  'test/server/admin.db.test.ts',
  'test/server/lifecycle/connection-use.db.test.ts',
  'test/server/clients/heads.db.test.ts',
  'test/server/lifecycle/port-sharing.db.test.ts',
  'test/server/lifecycle/reloads.db.test.ts',
  'test/server/lifecycle/replicas.db.test.ts',
  'test/server/request-metrics.db.test.ts',
  'test/server/lifecycle/shutdown.db.test.ts',
  'test/server/clients/slow-clients.test.ts',
  'test/server/status.db.test.ts',
];

const [count = '2'] = process.argv.slice(2);
const env = { ...process.env, ROWHOUSE_TEST_WORKERS: count };
ensureBuilt();
const { status } = spawnSync('npx', ['vitest', 'run', ...FILES], { stdio: 'inherit', env });
process.exitCode = status ?? 1;

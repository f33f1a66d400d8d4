// A long run of the soak test, which also runs in a short form with all others: `npm run test:soak -- --minutes 20`.
// `--rate` sets the requests per second (default: half of the capacity, measured at the start). Writes a table and a
// plot to `.rowhouse/soak`.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './build/ensure-built.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    rate: { type: 'string' },
  },
});
const environment = {
  ROWHOUSE_SOAK_MINUTES: values.minutes,
  ROWHOUSE_SOAK_SEED: values.seed,
  ...(values.rate === undefined ? {} : { ROWHOUSE_SOAK_RATE: values.rate }),
};
ensureBuilt();
const run = spawnSync('npx', ['vitest', 'run', 'test/soak/soak.db.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, ...environment },
});
process.exitCode = run.status ?? 1;

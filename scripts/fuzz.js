// Long fuzz runs of tests that also run in a short form with all others: `npm run test:fuzz -- --requests 1000000
// --seed 7`. `--suite` selects the suite, `--dialect` (tenants only) a dialect, `--against` (same only) a commit.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './build/ensure-built.js';

const SUITES = {
  // requests of several tenants to a server with a pool of two, compared with a model
  tenants: 'tenants',
  // random reads, valid or not: none crashes
  reads: 'urls',
  // random writes and calls, rolled back
  writes: 'write-requests',
  // random reads and writes, compared with an oracle that does not use SQL
  'read-oracle': 'oracle',
  'write-oracle': 'write-oracle',
  // time to parse, plan and render, depending on the length of the URL
  linear: 'linear-time',
  // the same random requests to this build and that of `--against COMMIT`, whose bytes are compared
  same: 'same.suite',
};

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '1' },
    suite: { type: 'string', default: 'tenants' },
    dialect: { type: 'string' },
    against: { type: 'string' },
  },
});
const test = SUITES[values.suite];
if (test === undefined) throw new Error(`--suite must be one of ${Object.keys(SUITES).join(', ')}`);
if ((values.suite === 'same') !== (values.against !== undefined))
  throw new Error('--suite same needs --against COMMIT');
const against = values.against === undefined ? {} : { ROWHOUSE_FUZZ_AGAINST: values.against };
const environment =
  values.suite === 'linear'
    ? { ROWHOUSE_FUZZ_LINEAR: '1' }
    : { ROWHOUSE_FUZZ_COUNT: values.requests, ROWHOUSE_FUZZ_SEED: values.seed };
const dialect = values.dialect === undefined ? {} : { ROWHOUSE_FUZZ_DIALECT: values.dialect };
ensureBuilt();
const run = spawnSync('npx', ['vitest', 'run', `test/fuzz/${test}`], {
  stdio: 'inherit',
  env: { ...process.env, ...environment, ...dialect, ...against },
});
process.exitCode = run.status ?? 1;

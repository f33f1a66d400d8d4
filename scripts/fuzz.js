// Long fuzz runs, by the tests that also run shortly with all others:
//   npm run fuzz -- --count 200000 --seed 1    random reads against the running server
//   npm run fuzz:writes -- --count 100000      random writes and calls, rolled back
//   npm run fuzz -- --oracle --count 20000     random reads whose answers are worked out without SQL as well
//   npm run fuzz:writes -- --oracle            random writes, the same way
//   npm run fuzz -- --linear                   time of parsing, planning and rendering by length of the URL
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '1' },
    linear: { type: 'boolean', default: false },
    oracle: { type: 'boolean', default: false },
    writes: { type: 'boolean', default: false },
  },
});
const environment = values.linear
  ? { ROWHOUSE_FUZZ_LINEAR: '1' }
  : { ROWHOUSE_FUZZ_COUNT: values.count, ROWHOUSE_FUZZ_SEED: values.seed };
const run = spawnSync('npx', ['vitest', 'run', `test/fuzz/${chooseTest()}.test.ts`], {
  stdio: 'inherit',
  env: { ...process.env, ...environment },
});
process.exitCode = run.status ?? 1;

function chooseTest() {
  if (values.linear) return 'linear-time';
  if (values.oracle) return values.writes ? 'write-oracle' : 'oracle';
  return values.writes ? 'write-requests' : 'urls';
}

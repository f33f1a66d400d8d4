// Runs a measurement against the built server: `npm run bench -- [options]`, or one of the others by name:
// `npm run bench -- streams [options]`. Each lists its options with `--help`.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { ensureBuilt } from './build/ensure-built.js';
import { COMPILER } from './build/tools.js';

/** Name of a measurement → its module in `test/bench`. */
const MEASUREMENTS = {
  counts: 'counts',
  memory: 'memory',
  streams: 'streams',
};

const [first = ''] = process.argv.slice(2);
const isNamed = first !== '' && !first.startsWith('-');
const module = isNamed ? MEASUREMENTS[first] : 'main';
if (module === undefined) {
  console.error(`Unknown measurement "${first}". Name one of ${Object.keys(MEASUREMENTS).join(', ')}, or none.`);
  process.exit(1);
}
if (isNamed) process.argv.splice(2, 1);

ensureBuilt();
const compiled = spawnSync(process.execPath, [COMPILER, '-p', 'test/bench/tsconfig.json'], { stdio: ['ignore', 2, 2] });
if (compiled.status !== 0) process.exit(compiled.status ?? 1);
await import(new URL(`../.rowhouse/bench/test/bench/${module}.js`, import.meta.url).href);

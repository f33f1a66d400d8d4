// Builds the program, the library and the explorer into `dist`: `npm run build`, always; with `--if-changed`, only if the
// sources differ from those of the last build.
import process from 'node:process';
import { build } from './build/build.js';
import { ensureBuilt } from './build/ensure-built.js';

if (process.argv.includes('--if-changed')) ensureBuilt();
else await build();

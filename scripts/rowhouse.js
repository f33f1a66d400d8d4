// Runs the program of the working tree, after a build if the sources have changed: `npm start`, `npm run sql`. The program
// runs in this process, so that it is npm's own child: it ends when npm does.
import { fileURLToPath } from 'node:url';
import process from 'node:process';
import { buildDocsInBackground, ensureBuilt } from './build/ensure-built.js';

ensureBuilt();
if (process.argv.includes('--demo')) buildDocsInBackground();
const program = new URL('../dist/cli/main.js', import.meta.url);
process.argv[1] = fileURLToPath(program);
await import(program.href);

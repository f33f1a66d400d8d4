#!/usr/bin/env node
// `npm create rowhouse NAME [-- --template shop]`: calls `rowhouse new`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('cli/main.js', import.meta.resolve('rowhouse')));
const { status } = spawnSync(process.execPath, [program, 'new', ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 2;

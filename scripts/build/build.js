// Sources → `dist`, without the documentation. The program and the explorer are built side by side.
import { spawn } from 'node:child_process';
import process from 'node:process';
import { fingerprintSources, forgetBuild, PROGRAM, recordBuild } from './build-record.js';
import { ROOT } from './root.js';
import { removeStaleOutputs } from './stale-outputs.js';
import { COMPILER, VITE } from './tools.js';

export async function build() {
  // Taken first: a file that changes during the build leads to another build.
  const fingerprint = fingerprintSources(ROOT, PROGRAM);
  forgetBuild(ROOT, PROGRAM);
  await Promise.all([buildProgram(), buildExplorer()]);
  removeStaleOutputs(ROOT);
  recordBuild(ROOT, PROGRAM, fingerprint);
}

async function buildProgram() {
  await run([COMPILER, '-p', 'tsconfig.build.json']);
  await run(['scripts/build/copy-assets.js']);
  await run(['scripts/build/bundle.js']);
}

async function buildExplorer() {
  await run([VITE, 'build', '--config', 'explorer/vite.config.ts', '--logLevel', 'warn']);
  await run(['scripts/build/compress-explorer.js']);
}

/** Runs a Node program. When a step fails, its own output has said why. */
function run(args) {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  return new Promise((resolve) => {
    child.on('exit', (code) => (code === 0 ? resolve() : process.exit(code ?? 1)));
  });
}

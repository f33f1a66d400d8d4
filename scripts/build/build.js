// Sources → `dist`, without the documentation. The program and the explorer are built side by side.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
  await run('types and modules', [COMPILER, '-p', 'tsconfig.build.json']);
  await run('files beside the modules', ['scripts/build/copy-assets.js']);
  await run('program and library', ['scripts/build/bundle.js']);
  await run('packages for browsers', ['scripts/build/pack-packages.js']);
}

async function buildExplorer() {
  await run('explorer', [VITE, 'build', '--config', 'explorer/vite.config.ts', '--logLevel', 'warn']);
  await run('explorer, compressed', ['scripts/build/compress-explorer.js']);
}

/** Runs a Node program, and reports what it has built. When a step fails, its own output has said why. */
async function run(built, args) {
  const start = performance.now();
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exit(code ?? 1);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stderr.write(`${seconds.padStart(6)} s  ${built}\n`);
}

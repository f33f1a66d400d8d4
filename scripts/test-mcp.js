// Runs the conformance suite of the Model Context Protocol against the built server: `npm run test:mcp`. npm fetches the
// suite, and Node 22, which it requires, into its cache. The suite expects a server with certain prompts, resources and
// diagnostic tools; only scenarios that need none of them are run, and checks that do are listed below.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { ensureBuilt } from './build/ensure-built.js';

const PACKAGES = ['node@22', '@modelcontextprotocol/conformance@0.2.0-alpha.12'];

const SCENARIOS = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
    'server-sse-multiple-streams',
    'input-required-result-unsupported-methods',
  ],
};

/** Checks that cannot pass, by reason. */
const INAPPLICABLE = {
  'the suite needs a diagnostic tool': [
    'sep-2575-server-rejects-undeclared-capability',
    'sep-2575-missing-capability-http-400',
    'sep-2575-http-server-no-independent-requests-on-stream',
    'sep-2575-server-no-log-without-loglevel',
  ],
  'the server has nothing to subscribe to': [
    'sep-2575-server-sends-subscription-ack',
    'sep-2575-server-tags-subscription-id',
  ],
  'the server has no prompts and resources': [
    'sep-2549-prompts-list-caching-hints',
    'sep-2549-resources-list-caching-hints',
    'sep-2549-resources-templates-list-caching-hints',
  ],
};

ensureBuilt();
const folder = mkdtempSync(path.join(os.tmpdir(), 'rowhouse-mcp-'));
// As root, PostgreSQL runs as another user.
chmodSync(folder, 0o755);
const [port, adminPort] = [await findFreePort(), await findFreePort()];
const server = spawn(
  process.execPath,
  [
    'dist/cli/main.js',
    '--demo',
    `--server-port=${port}`,
    `--admin-server-port=${adminPort}`,
    '--mcp-path=/mcp',
    '--mcp-writes=true',
    '--log-level=crit',
  ],
  { env: { ...process.env, ROWHOUSE_DATA: path.join(folder, 'data') }, stdio: ['ignore', 'ignore', 'inherit'] },
);
let failures = 0;
try {
  await waitUntilReady();
  for (const [revision, scenarios] of Object.entries(SCENARIOS))
    for (const scenario of scenarios) failures += runScenario(scenario, revision);
} finally {
  server.kill();
  await new Promise((resolve) => server.once('exit', resolve));
  rmSync(folder, { recursive: true, force: true });
}
console.log(failures === 0 ? 'All applicable checks pass' : `${failures} checks fail`);
process.exitCode = failures === 0 ? 0 : 1;

/** Returns the number of checks that fail. */
function runScenario(scenario, revision) {
  const results = path.join(folder, `${scenario}-${revision}`);
  const suite = ['server', '--url', `http://localhost:${port}/mcp`, '--scenario', scenario, '--spec-version', revision];
  const packages = PACKAGES.map((name) => `--package=${name}`);
  const run = spawnSync('npm', ['exec', '--yes', ...packages, '--', 'conformance', ...suite, '-o', results], {
    encoding: 'utf8',
  });
  const checks = readChecks(results);
  if (checks.length === 0) throw new Error(`${scenario} did not run: ${run.stdout}${run.stderr}`);
  const failed = checks.filter(({ status }) => status === 'FAILURE');
  const own = failed.filter(({ id }) => !Object.values(INAPPLICABLE).flat().includes(id));
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
  console.log(
    `${revision} ${scenario}: ${passed} passed, ${own.length} failed, ${failed.length - own.length} inapplicable`,
  );
  for (const { id, errorMessage } of own) console.log(`  ${id}: ${errorMessage}`);
  return own.length;
}

function readChecks(results) {
  const files = readdirSync(results, { recursive: true, encoding: 'utf8' });
  const found = files.filter((name) => path.basename(name) === 'checks.json');
  return found.flatMap((name) => JSON.parse(readFileSync(path.join(results, name), 'utf8')));
}

async function waitUntilReady() {
  for (;;) {
    if (server.exitCode !== null) throw new Error('the server has ended');
    const response = await fetch(`http://localhost:${adminPort}/ready`).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function findFreePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address();
      probe.close(() => resolve(free));
    });
  });
}

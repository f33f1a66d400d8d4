// Everything that must hold before a change is merged: `npm run check`, or with `-- --quick` without the long suites. A
// step that fails does not keep the others from running. The last line counts the tests, and each other step that failed as one more failure: `N passed, N failed`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

/** Two chains that take about as long, side by side: on two cores this halves the time before the tests. */
const CHAINS = [
  [
    ['format', 'npm run --silent format -- --check'],
    ['lint', 'npm run --silent lint'],
    ['types', 'npm run --silent types'],
    ['unused code', 'npm run --silent unused'],
  ],
  [
    ['package', 'node scripts/build.js --if-changed && npx publint --strict'],
    ['spelling', 'npx cspell --no-progress --show-suggestions --cache --cache-location .rowhouse/cspell'],
  ],
];

const isQuick = process.argv.includes('--quick');
const failed = (await Promise.all(CHAINS.map((steps) => runChain(steps)))).flat();
const tests = await runTests();
if (failed.length > 0) console.log(`\nFailed steps: ${failed.join(', ')}`);
console.log(`\n${tests.passed} passed, ${tests.failed + failed.length} failed`);
process.exitCode = tests.isPassed && failed.length === 0 ? 0 : 1;

/** Shows what a step prints when it has ended, so that two chains don't mix. Returns the names of the failed steps. */
async function runChain(steps) {
  const failed = [];
  for (const [name, command] of steps) if (!(await runStep(name, command, 'pipe'))) failed.push(name);
  return failed;
}

async function runStep(name, command, output) {
  const start = Date.now();
  const child = spawn(command, { shell: true, stdio: ['ignore', output, output] });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => printed.push(chunk));
  const [code] = await once(child, 'close');
  process.stdout.write(Buffer.concat([Buffer.from(`\n— ${name}: ${command}\n`), ...printed]));
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  console.log(`${name} ${code === 0 ? 'passed' : 'FAILED'} (${seconds} s)`);
  return code === 0;
}

async function runTests() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rowhouse-check-'));
  const file = path.join(folder, 'tests.json');
  try {
    const reporters = `--reporter=default --reporter=json --outputFile.json="${file}"`;
    const command = isQuick ? 'npm run --silent test --' : 'node scripts/build.js --if-changed && npx vitest run';
    const isPassed = await runStep('tests', `${command} ${reporters}`, 'inherit');
    return {
      isPassed,
      ...countTests(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).testResults : [], isPassed),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file that cannot be loaded has no failed test, and a failed build leaves no results: each counts as one failure. */
function countTests(files, isPassed) {
  const outcomes = files.flatMap((file) => file.assertionResults.map(({ status }) => status));
  const unloaded = files.filter((file) => file.status === 'failed' && !file.assertionResults.some(isFailed));
  const known = outcomes.filter((status) => status === 'failed').length + unloaded.length;
  return {
    passed: outcomes.filter((status) => status === 'passed').length,
    failed: known === 0 && !isPassed ? 1 : known,
  };
}

function isFailed({ status }) {
  return status === 'failed';
}

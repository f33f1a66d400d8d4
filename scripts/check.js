// Everything that must hold before a change is merged: `npm run check`, or with `-- --quick` without the long suites. A
// step that fails does not keep the others from running. The last line counts the tests, and each other step that failed as one more failure: `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

const STEPS = [
  ['format', 'npm run --silent format -- --check'],
  ['lint', 'npm run --silent lint'],
  ['types', 'npm run --silent types'],
  ['unused code', 'npm run --silent unused'],
  ['package', 'node scripts/build.js --if-changed && npx publint --strict'],
  ['spelling', 'npx cspell --no-progress --show-suggestions --cache --cache-location .rowhouse/cspell'],
];

const isQuick = process.argv.includes('--quick');
const failed = STEPS.filter(([name, command]) => !runStep(name, command)).map(([name]) => name);
const tests = runTests();
if (failed.length > 0) console.log(`\nFailed steps: ${failed.join(', ')}`);
console.log(`\n${tests.passed} passed, ${tests.failed + failed.length} failed`);
process.exitCode = tests.isPassed && failed.length === 0 ? 0 : 1;

function runStep(name, command) {
  console.log(`\n— ${name}: ${command}`);
  const start = Date.now();
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit' });
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  console.log(`${name} ${status === 0 ? 'passed' : 'FAILED'} (${seconds} s)`);
  return status === 0;
}

function runTests() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rowhouse-check-'));
  const file = path.join(folder, 'tests.json');
  try {
    const reporters = `--reporter=default --reporter=json --outputFile.json="${file}"`;
    const command = isQuick ? 'npm run --silent test --' : 'node scripts/build.js --if-changed && npx vitest run';
    const isPassed = runStep('tests', `${command} ${reporters}`);
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

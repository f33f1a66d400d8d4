// Everything that must hold before a change is merged: `npm run check`. With `-- --quick` only the checks and `npm test`, with
// `-- --without-long` (CI) all but the tests of the project `long`, with `-- --strict` a test that is left out counts as failed.
// A step that fails does not keep the others from running. Files with failed tests run once more, alone: what passes then
// counts as passed and is named as unsteady. The last line counts the tests, each once, and each other step that failed as
// one more failure: `N passed, N failed`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

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

/** The second tier: what `npm test` has not run. */
const MORE_TESTS = "npx vitest run --project '*-more'";
const LONG_TESTS = ' --project long';
/** Debian's PostgreSQL has extensions that the embedded one lacks. `-t` selects the tests that were left out so far. */
const POSTGIS_TESTS = "npx vitest run --project db test/server/scores.db.test.ts -t '(shapes|vectors)'";

/** If more files than this fail, running them again says nothing. */
const MAX_FILES_AGAIN = 20;

/** Tests that say nothing here, by their file. `--strict` accepts no others. */
const SKIPPED = new Map([
  ['test/bench/counts.db.test.ts', 'counts are recorded for one version of Node.js'],
  ['test/endings/endings.db.test.ts', 'a pool of one has no permits to stream'],
  ['test/endings/memory.db.test.ts', 'runs in the long form only'],
  ['test/hostile/bounds.db.test.ts', 'runs in the long form only'],
  ['test/explorer/copy.db.test.ts', 'Debian has no package of the Python library'],
  ['test/server/lifecycle/pgbouncer.db.test.ts', 'is about PgBouncer before 1.21'],
  ['test/server/lifecycle/port-sharing.db.test.ts', 'the machine has no IPv6'],
  ['test/server/scores.db.test.ts', 'the distribution has no package of pgvector'],
  ...[
    'conformance/chinook.db',
    'docs/docs.db',
    'docs/questions.db',
    'openapi/valid.db',
    'tools/typegen/compile.db',
  ].map((name) => [`test/${name}.test.ts`, 'needs a file that is not in the repository']),
]);

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean' }, strict: { type: 'boolean' }, 'without-long': { type: 'boolean' } },
});
const failed = (await Promise.all(CHAINS.map((steps) => runChain(steps)))).flat();
const tests = await runAllTests();
if (failed.length > 0) console.log(`\nFailed steps: ${failed.join(', ')}`);
console.log(`\n${tests.passed} passed, ${tests.failed + failed.length} failed`);
process.exitCode = tests.failed + failed.length === 0 ? 0 : 1;

/** Shows what a step prints when it has ended, so that two chains don't mix. Returns the names of the failed steps. */
async function runChain(steps) {
  const failed = [];
  for (const [name, command] of steps) if (!(await runStep(name, command, 'pipe'))) failed.push(name);
  return failed;
}

async function runStep(name, command, output, environment = {}) {
  const start = Date.now();
  const env = { ...process.env, ...environment };
  const child = spawn(command, { shell: true, env, stdio: ['ignore', output, output] });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => printed.push(chunk));
  const [code] = await once(child, 'close');
  process.stdout.write(Buffer.concat([Buffer.from(`\n— ${name}: ${command}\n`), ...printed]));
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  console.log(`${name} ${code === 0 ? 'passed' : 'FAILED'} (${seconds} s)`);
  return code === 0;
}

async function runAllTests() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rowhouse-check-'));
  try {
    const runs = [await runTests('npm test', 'npm run --silent test --', folder)];
    if (!options.quick) {
      const more = options['without-long'] ? MORE_TESTS : MORE_TESTS + LONG_TESTS;
      runs.push(await runTests('more tests', more, folder));
      const binaries = findPostgis();
      if (binaries !== undefined) runs.push(await runTests('PostGIS', POSTGIS_TESTS, folder, binaries));
      else if (options.strict) runs.push({ outcomes: new Map(), failed: 1 });
    }
    const first = mergeRuns(runs);
    const files = [...new Set([...first.values()].filter(isFailed).map(({ file }) => file))];
    if (files.length === 0 || files.length > MAX_FILES_AGAIN) return countTests(runs, first, []);
    runs.push(await runTests('once more', `npx vitest run --maxWorkers=1 ${files.join(' ')}`, folder));
    const last = mergeRuns(runs);
    const unsteady = [...first].filter(([name, outcome]) => isFailed(outcome) && last.get(name)?.status === 'passed');
    return countTests(
      runs,
      last,
      unsteady.map(([, outcome]) => outcome),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param binaries of another PostgreSQL. Returns the outcome of each test, and the failures that are no test's. */
async function runTests(name, command, folder, binaries) {
  const file = path.join(folder, `${name}.json`);
  const reporters = `--reporter=default --reporter=./test/support/left-out.ts --reporter=json --outputFile.json="${file}"`;
  const environment = binaries === undefined ? {} : { ROWHOUSE_TEST_PG_BIN: binaries };
  const isPassed = await runStep(name, `${command} ${reporters}`, 'inherit', environment);
  return readOutcomes(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).testResults : [], isPassed);
}

/** A file that cannot be loaded has no failed test, and a failed build leaves no results: each counts as one failure. */
function readOutcomes(files, isPassed) {
  const outcomes = new Map();
  for (const { name: file, status, message, assertionResults } of files) {
    const name = path.relative(process.cwd(), file);
    // By their places: the name of a test that is skipped contains the reason, and some have the same name.
    for (const [index, { status: own, fullName, failureMessages }] of assertionResults.entries())
      outcomes.set(`${name} ${index}`, { file: name, status: own, fullName, failureMessages });
    if (status === 'failed' && !assertionResults.some(isFailed))
      outcomes.set(name, { file: name, status: 'failed', fullName: 'the whole file', failureMessages: [message] });
  }
  return { outcomes, failed: isPassed || [...outcomes.values()].some(isFailed) ? 0 : 1 };
}

/** A test that a later run omits keeps its outcome; a file that a later run has loaded was not in vain. */
function mergeRuns(runs) {
  const merged = new Map();
  for (const { outcomes } of runs) {
    for (const [name, outcome] of outcomes) {
      merged.delete(outcome.file);
      if (isRun(outcome) || !merged.has(name)) merged.set(name, outcome);
    }
  }
  return merged;
}

/** @param unsteady what failed at first and passed when its file ran alone */
function countTests(runs, outcomes, unsteady) {
  const all = [...outcomes.values()];
  const skipped = all.filter((outcome) => !isRun(outcome));
  const missing = options.strict ? skipped.filter(({ file }) => !SKIPPED.has(file)) : [];
  for (const file of new Set(skipped.map((outcome) => outcome.file))) {
    const count = skipped.filter((outcome) => outcome.file === file).length;
    console.log(`${count} skipped in ${file}: ${SKIPPED.get(file) ?? 'something is missing on this machine'}`);
  }
  for (const outcome of unsteady) console.log(describeFailure('Failed beside other tests, passed alone', outcome));
  const failures = all.filter(isFailed);
  for (const outcome of failures) console.log(describeFailure('Failed', outcome));
  return {
    passed: all.filter(({ status }) => status === 'passed').length,
    failed: failures.length + missing.length + runs.reduce((sum, run) => sum + run.failed, 0),
  };
}

/** Printed last: a log that is cut keeps its end. */
function describeFailure(title, { file, fullName, failureMessages }) {
  const reason = failureMessages.join('\n').split('\n', 1)[0];
  return `\n${title}: ${file}: ${fullName}\n  ${reason.slice(0, 300)}`;
}

function isFailed({ status }) {
  return status === 'failed';
}

function isRun({ status }) {
  return status === 'passed' || status === 'failed';
}

/** Returns the binaries of Debian's newest PostgreSQL with PostGIS. */
function findPostgis() {
  const place = '/usr/lib/postgresql';
  const versions = existsSync(place) ? readdirSync(place).toSorted((left, right) => Number(right) - Number(left)) : [];
  const version = versions.find((each) => existsSync(path.join(place, each, 'lib/postgis-3.so')));
  return version === undefined ? undefined : path.join(place, version, 'bin');
}

// Reports which statements of the checklists in docs/specification have a passing test. A test covers the statements
// whose ids start its name (`R12 …`, `W40b W41 …`).
//   npm run spec:coverage                            runs the tests
//   npm run spec:coverage -- --results tests.json    reads the output of `vitest --reporter=json`
//   npm run spec:coverage -- --strict R,W            fails if a statement of these suites has no test
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './build/ensure-built.js';

/** Name of the file, letter of its ids, remark on statements without a test. */
const SUITES = [
  ['reading', 'R', ''],
  ['writing', 'W', ''],
  ['operating', 'O', ''],
  ['beyond', 'B', '; not built yet:'],
  ['project', 'P', '; not built yet:'],
];
const LEADING_IDS = /^(?:[A-Z]+\d+[a-z]?\s+)+/u;
const PER_LINE = 16;

const { values } = parseArgs({ options: { results: { type: 'string' }, strict: { type: 'string', default: '' } } });

const covered = collectIds(values.results === undefined ? runTests() : readResults(values.results));
const strict = new Set(values.strict.split(',').filter(Boolean));
let isComplete = true;
for (const [name, letter, remark] of SUITES) {
  const ids = readChecklist(name, letter);
  const missing = ids.filter((id) => !covered.has(id));
  console.log(
    `${name}: ${ids.length - missing.length} of ${ids.length} statements have a passing test${missing.length > 0 ? remark : ''}`,
  );
  for (let at = 0; at < missing.length; at += PER_LINE) {
    console.log(`  ${missing.slice(at, at + PER_LINE).join(' ')}`);
  }
  if (strict.has(letter) && missing.length > 0) isComplete = false;
}
process.exitCode = isComplete ? 0 : 1;

/** Reads the ids of a checklist, whose rows start with `| R12 | …`. */
function readChecklist(name, letter) {
  const text = readFileSync(new URL(`../docs/specification/${name}.md`, import.meta.url), 'utf8');
  return [...text.matchAll(/^\| ([A-Z]\d+) \|/gmu)].map(([, id]) => id).filter((id) => id.startsWith(letter));
}

function runTests() {
  ensureBuilt();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rowhouse-coverage-'));
  const file = path.join(folder, 'tests.json');
  try {
    const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`];
    spawnSync('npx', ['vitest', 'run', ...reporters], { stdio: ['ignore', process.stderr, process.stderr] });
    return readResults(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readResults(file) {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  return testResults.flatMap(({ assertionResults }) => assertionResults);
}

/** `R12b` is another test of R12. If one of them fails, the statement is not covered. */
function collectIds(tests) {
  const passed = new Set();
  const failed = new Set();
  for (const { title, status } of tests) {
    const target = status === 'passed' ? passed : status === 'failed' ? failed : undefined;
    const [ids = ''] = LEADING_IDS.exec(`${title} `) ?? [];
    for (const id of ids.split(/\s+/u)) target?.add(id.replace(/[a-z]$/u, ''));
  }
  return new Set([...passed].filter((id) => !failed.has(id)));
}

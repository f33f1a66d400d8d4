// Two tiers. `npm test` runs the projects `unit` (no database, no build, no browser), `db` (the build and one PostgreSQL),
// `mocked` and `browser`. `npm run test:all` also runs `db-more`, `browser-more` and `long`: files that cost most of the
// processor time, and mostly find what a cheaper file of the same room finds too.
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import process from 'node:process';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** Tests of the whole server wait for sockets and timeouts, even those without a database. */
const DATABASE_TESTS = ['test/**/*.db.test.ts', 'test/server/**/*.test.ts'];
/** Runs only by its name: it builds another commit, to compare with. */
const COMPARISON = process.env['ROWHOUSE_FUZZ_AGAINST'] === undefined ? [] : ['test/fuzz/same.suite.ts'];
/** Runs only by its name, `npm run test:citus`: it needs a PostgreSQL with Citus. */
const HAS_CITUS = process.env['ROWHOUSE_TEST_CITUS'] !== undefined;
const BROWSER_TESTS = ['test/browser/**/*.test.ts'];
/** The explorer in the first tier: from an existing database to edited rows, the requests of its bar, and functions. */
const BROWSER_WALK = ['test/browser/{first-steps,functions,request-bar}.test.ts'];
/** Replace modules of the server, so each needs modules of its own. */
const MOCKED_TESTS = ['test/**/*.mocked.test.ts'];

/** Suites of minutes: random requests, faults, attacks, memory, screens, and tests that start many programs one after the other. */
const LONG_TESTS = [
  'test/{endings,faults,hostile,soak,workers}/**/*.db.test.ts',
  'test/fuzz/!(oracle|write-oracle|injection).db.test.ts',
  'test/plan/nested-bounds.db.test.ts',
  // Screens that rarely change.
  'test/browser/{facets,history,hostile,map,views}.test.ts',
  'test/browser/sync-long.test.ts',
  'test/conformance/{extensions-off,large-bodies}.db.test.ts',
  'test/scripts/package-afresh.db.test.ts',
  'test/server/bodies/{ingest-columns,long-values,spelled-rows}.db.test.ts',
  'test/server/lifecycle/{port-sharing,session-state}.db.test.ts',
  'test/server/live/convergence.db.test.ts',
  'test/tools/check/mutants.db.test.ts',
  'test/tools/diff/{diff-schemas,other-version,second-opinion}.db.test.ts',
  'test/tools/embedded/embedded-postgres.db.test.ts',
  'test/tools/project/random-edits.db.test.ts',
  'test/tools/typegen/compile.db.test.ts',
];

/** Beyond the first tier. Each room keeps the files that try its rules one by one. */
const MORE_DATABASE_TESTS = [
  // Start a PostgreSQL of their own, or let the one of the test fail.
  'test/docs/production.db.test.ts',
  'test/postgres/replicas/*.db.test.ts',
  'test/server/lifecycle/{failover,pgbouncer,recovery,replica,replicas,restart}.db.test.ts',
  'test/server/live/{channels,hostile,memory,resume,workers}.db.test.ts',
  'test/packages/*.db.test.ts',
  'test/server/lifecycle/liveness.db.test.ts',
  'test/tools/init/live.db.test.ts',
  'test/tools/testing/{cluster,next-process,runners}.db.test.ts',
  // Start many programs, or compile.
  'test/clients/{ra-data-postgrest,typed-queries}.db.test.ts',
  'test/conformance/{chinook,complete}.db.test.ts',
  'test/explorer/{copy,package}.db.test.ts',
  'test/mcp/stdio.db.test.ts',
  'test/openapi/{generated-client,valid}.db.test.ts',
  'test/scripts/package.db.test.ts',
  'test/server/clients/{examples.db,library-types,proxies.db}.test.ts',
  'test/server/lifecycle/{connection-use,resets,shutdown}.db.test.ts',
  'test/service/young-generation.db.test.ts',
  'test/tools/compare/*.db.test.ts',
  'test/tools/demo/{demo,banner-examples,start-demo}.db.test.ts',
  'test/tools/dev/dev.db.test.ts',
  'test/tools/diff/*.db.test.ts',
  'test/tools/doctor/{doctor,live}.db.test.ts',
  'test/tools/init/{init,tables,terminal}.db.test.ts',
  'test/tools/inspect/dump-config.db.test.ts',
  'test/tools/loaded-modules.db.test.ts',
  'test/tools/{connect-error,process}.db.test.ts',
  'test/tools/new/*.db.test.ts',
  'test/tools/project/{dev-embedded,dev-program,saves-under-load}.db.test.ts',
  'test/tools/typegen/{command,every-type}.db.test.ts',
  // Try a rule with hundreds of random requests, values or pairs of schemas.
  'test/bench/counts.db.test.ts',
  'test/fuzz/{oracle,write-oracle}.db.test.ts',
  'test/http/pipeline-queue.db.test.ts',
  'test/mcp/access.db.test.ts',
  'test/openapi/swagger-definitions.db.test.ts',
  'test/postgres/batches/{read-dispatcher,shared-reads}.db.test.ts',
  'test/prepare/plan-cache.db.test.ts',
  'test/server/nested/oracle.db.test.ts',
  'test/sql/{counted-rows,geojson,golden-roles,leftovers,related-order,unshown-errors}.db.test.ts',
  'test/tools/api-diff/{compatible,count-requests,kinds}.db.test.ts',
  'test/tools/check/{check,corpus,lints}.db.test.ts',
  'test/tools/project/{project-loop,change-in-place,find-losses,loop-sessions}.db.test.ts',
  'test/tools/testing/{explain-effects,explain-hostile}.db.test.ts',
  // Send what an attacker or a slow client would, in large amounts.
  'test/server/bodies/{ingest-hostile,last-responses,ndjson-hosts,pipelined-streams,stream-counts,stream-encodings,write-attacks}.db.test.ts',
  'test/server/clients/{send-limits,slow-clients}.test.ts',
  'test/server/clients/{long-queries,waiting-clients}.db.test.ts',
  'test/server/{issuer-keys,tracing}.db.test.ts',
  'test/server/extensions/cost.db.test.ts',
  'test/server/nested/{hostile,small-heap}.db.test.ts',
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
    reporters: ['default', './test/support/left-out.ts'],
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
          exclude: [...MOCKED_TESTS, ...MORE_DATABASE_TESTS, ...LONG_TESTS],
          // Most of a file's time was spent on loading the server's modules again.
          isolate: false,
          ...withDatabase,
        },
      },
      {
        test: {
          name: 'db-more',
          include: MORE_DATABASE_TESTS,
          exclude: LONG_TESTS,
          isolate: false,
          ...withDatabase,
        },
      },
      { test: { name: 'long', include: LONG_TESTS, isolate: false, ...withDatabase } },
      { test: { name: 'mocked', include: MOCKED_TESTS, ...withDatabase } },
      // The files of a worker share one browser.
      { test: { name: 'browser', include: BROWSER_WALK, isolate: false, ...withDatabase } },
      {
        test: {
          name: 'browser-more',
          include: BROWSER_TESTS,
          exclude: [...BROWSER_WALK, ...LONG_TESTS],
          isolate: false,
          ...withDatabase,
        },
      },
      ...(HAS_CITUS
        ? [
            {
              test: {
                name: 'citus',
                include: ['test/citus/*.suite.ts'],
                isolate: false,
                // Nodes that join several databases at once refuse connections.
                fileParallelism: false,
                ...withDatabase,
                globalSetup: ['test/citus/global-setup.ts'],
              },
            },
          ]
        : []),
    ],
  },
});

export default config;

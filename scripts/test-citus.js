// Runs the tests on a Citus cluster, which they start on this machine: npm run test:citus. Requires a PostgreSQL with Citus,
// named by ROWHOUSE_TEST_PG_BIN or `-- --pg-bin FOLDER`, before arguments of vitest; ends with a message if there is none.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const rest = process.argv.slice(2);
const [, named] = rest[0] === '--pg-bin' ? rest.splice(0, 2) : [];
const binFolder = named ?? process.env.ROWHOUSE_TEST_PG_BIN;

/** Returns what keeps the tests from running, if anything does. */
function findMissing() {
  if (binFolder === undefined)
    return 'name the programs of a PostgreSQL with Citus: --pg-bin /usr/lib/postgresql/15/bin';
  if (!existsSync(path.join(binFolder, 'postgres'))) return `there is no program postgres in ${binFolder}`;
  const { stdout, error } = spawnSync(path.join(binFolder, 'pg_config'), ['--sharedir'], { encoding: 'utf8' });
  if (error !== undefined) return `there is no program pg_config in ${binFolder}, which says where extensions are`;
  const control = path.join(stdout.trim(), 'extension', 'citus.control');
  return existsSync(control) ? undefined : `the PostgreSQL in ${binFolder} has no Citus: ${control} is missing`;
}

const missing = findMissing();
if (missing === undefined) {
  const env = { ...process.env, ROWHOUSE_TEST_PG_BIN: binFolder, ROWHOUSE_TEST_CITUS: '1' };
  const run = ['vitest', 'run', '--project', 'citus', ...rest];
  process.exitCode = spawnSync('npx', run, { stdio: 'inherit', env }).status ?? 1;
} else {
  console.error(`test:citus cannot run: ${missing}`);
  process.exitCode = 1;
}

// Builds a cluster on this machine and makes its parts fail under load: npm run test:cluster. Requires root, to create
// namespaces, and programs from Debian packages; skipped with a message if they are missing.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { ensureBuilt } from './build/ensure-built.js';

/** The package of each program. */
const PROGRAMS = {
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  nginx: 'nginx-light',
  ip: 'iproute2',
  mount: 'mount',
  setpriv: 'util-linux',
  unshare: 'util-linux',
};

/** When the first process ends, so does everything started or set up in the namespaces. */
const NAMESPACES = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
/** The shell stays as process 1, because it must reap orphaned processes. */
const INSIDE =
  'mount -t tmpfs tmpfs /run && ip link set lo up && npx vitest run --config test/cluster/vitest.config.ts "$@"; exit $?';

const searchPath = `${process.env.PATH}:/usr/sbin:/sbin`;

function isInstalled(program) {
  return searchPath.split(':').some((folder) => existsSync(path.join(folder, program)));
}

function findMissing() {
  const packages = Object.entries(PROGRAMS)
    .filter(([program]) => !isInstalled(program))
    .map(([, name]) => name);
  const [, postgres] = /bin_dir: (\S+)/u.exec(readFileSync('deploy/cluster/patroni.yml', 'utf8')) ?? [];
  if (!existsSync(path.join(postgres, 'postgres'))) packages.push('postgresql-15');
  if (packages.length > 0) return `missing packages: ${[...new Set(packages)].join(', ')}`;
  if (process.getuid?.() !== 0) return 'root is required';
  const { status, stderr } = spawnSync('unshare', [...NAMESPACES, 'ip', 'link', 'add', 'trial', 'type', 'bridge']);
  return status === 0 ? undefined : `cannot create namespaces: ${stderr.toString().trim()}`;
}

/** Runs the tests inside. The files of all machines are in a folder that other users can access. */
function runInside(args) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rowhouse-cluster-'));
  chmodSync(folder, 0o755);
  const env = { ...process.env, PATH: searchPath, ROWHOUSE_CLUSTER_FOLDER: folder };
  const { status } = spawnSync('unshare', [...NAMESPACES, 'sh', '-c', INSIDE, 'sh', ...args], {
    stdio: 'inherit',
    env,
  });
  rmSync(folder, { recursive: true, force: true });
  return status ?? 1;
}

// On Ctrl-C, the processes inside end first; then the folder is removed.
process.on('SIGINT', () => {});

const missing = findMissing();
if (missing === undefined) {
  ensureBuilt();
  process.exitCode = runInside(process.argv.slice(2));
} else {
  console.log(`test:cluster is skipped: ${missing}`);
}

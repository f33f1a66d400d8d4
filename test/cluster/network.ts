// A small network of machines, each a network namespace on one bridge. Runs in its own namespaces
// (scripts/test-cluster.js), which remove everything when they end.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The addresses in deploy/cluster. */
const ADDRESSES = {
  'db-1': '10.0.0.11',
  'db-2': '10.0.0.12',
  'db-3': '10.0.0.13',
  'app-1': '10.0.0.21',
  'app-2': '10.0.0.22',
  edge: '10.0.0.31',
} as const;

export type MachineName = keyof typeof ADDRESSES;

/** The address of the clients and the test itself. */
const OWN_ADDRESS = '10.0.0.1';
/** Folders that each machine has for itself, under the path that its programs use. */
const OWN_FOLDERS = ['/run', '/var/lib/postgresql', '/var/lib/etcd'];
const BIND = OWN_FOLDERS.map((folder) => `mount --bind "$0${folder}" ${folder} && `).join('');

export interface SpawnOptions {
  /** Defaults to root. */
  readonly user?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** File for stdout and stderr. */
  readonly log: string;
}

export class Machine {
  readonly name: MachineName;
  readonly address: string;
  readonly #folder: string;

  private constructor(name: MachineName, folder: string) {
    this.name = name;
    this.address = ADDRESSES[name];
    this.#folder = path.join(folder, name);
  }

  /** @param folder the folder for files of all machines */
  static open(name: MachineName, folder: string): Machine {
    const machine = new Machine(name, folder);
    for (const own of OWN_FOLDERS) mkdirSync(machine.fileOf(own), { recursive: true });
    ip(`netns add ${name}`);
    ip(`link add ${name} type veth peer name eth0 netns ${name}`);
    ip(`link set ${name} master bridge up`);
    ip(`-n ${name} link set lo up`);
    ip(`-n ${name} address add ${machine.address}/24 dev eth0`);
    ip(`-n ${name} link set eth0 up`);
    return machine;
  }

  /** Returns the path of a machine's file as the test sees it. */
  fileOf(file: string): string {
    return path.join(this.#folder, file);
  }

  spawn(command: readonly string[], { user = 'root', environment = {}, log }: SpawnOptions): ChildProcess {
    const output = openSync(log, 'a');
    const asUser = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
    const wrapper = ['netns', 'exec', this.name, 'sh', '-c', `${BIND}exec "$@"`, this.#folder, ...asUser];
    return spawn('ip', [...wrapper, ...command], {
      env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', ...environment },
      stdio: ['ignore', output, output],
    });
  }

  /** Drops all packets in both directions without notice. */
  cut(): void {
    ip(`link set ${this.name} down`);
  }

  mend(): void {
    ip(`link set ${this.name} up`);
  }
}

/** @param folder the folder for files of the network itself */
export function openNetwork(folder: string): void {
  const hosts = Object.entries(ADDRESSES).map(([name, address]) => `${address} ${name}\n`);
  const file = path.join(folder, 'hosts');
  writeFileSync(file, `127.0.0.1 localhost\n${hosts.join('')}`);
  execFileSync('mount', ['--bind', file, '/etc/hosts']);
  ip('link add bridge type bridge');
  ip(`address add ${OWN_ADDRESS}/24 dev bridge`);
  ip('link set bridge up');
}

function ip(parameters: string): void {
  execFileSync('ip', parameters.split(' '));
}

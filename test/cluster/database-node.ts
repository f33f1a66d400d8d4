// One database server: PostgreSQL under Patroni, and a member of etcd.
import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { deployFile, readEnvironment } from './deploy-files.ts';
import type { Machine, MachineName } from './network.ts';
import { killAll, listChildren, Program } from './program.ts';

export const PASSWORD = 'cluster-test';

const USER = 'postgres';
const FOLDERS = ['/run/postgresql', '/var/lib/postgresql', '/var/lib/etcd'];
const POSTMASTER_FILE = '/var/lib/postgresql/15/shop/postmaster.pid';

export class DatabaseNode {
  readonly machine: Machine;
  readonly #etcd: Program;
  readonly #patroni: Program;

  constructor(machine: Machine, logs: string) {
    this.machine = machine;
    for (const folder of FOLDERS) createForPostgres(machine.fileOf(folder));
    const own = readEnvironment('node.env', { 'db-1': machine.name });
    const passwords = {
      PATRONI_SUPERUSER_PASSWORD: PASSWORD,
      PATRONI_REPLICATION_PASSWORD: PASSWORD,
    };
    this.#etcd = new Program(machine, ['etcd'], {
      user: USER,
      environment: { ...readEnvironment('etcd.env'), ...own },
      log: path.join(logs, `${machine.name}-etcd.log`),
    });
    this.#patroni = new Program(machine, ['patroni', deployFile('patroni.yml')], {
      user: USER,
      environment: { ...own, ...passwords },
      log: path.join(logs, `${machine.name}-patroni.log`),
    });
  }

  get name(): MachineName {
    return this.machine.name;
  }

  /** Superuser connection. */
  get uri(): string {
    return `postgres://${USER}:${PASSWORD}@${this.machine.address}/postgres`;
  }

  start(): void {
    this.#etcd.start();
    this.#patroni.start();
  }

  /** Kills Patroni, PostgreSQL and all its sessions at once. */
  async kill(): Promise<void> {
    const postmaster = Number(readFileSync(this.machine.fileOf(POSTMASTER_FILE), 'utf8').split('\n')[0]);
    killAll([this.#patroni.pid, postmaster, ...listChildren(postmaster)]);
    await this.#patroni.end('SIGKILL');
  }

  /** Makes another server the leader, as for maintenance. */
  async handOver(candidate: DatabaseNode): Promise<void> {
    const answer = await fetch(`http://${this.machine.address}:8008/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: this.name, candidate: candidate.name }),
    });
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  }

  /** Restarts the server after `kill`. */
  revive(): void {
    this.#patroni.start();
  }
}

/** Creates a folder for the user postgres, because PostgreSQL does not run as root. */
function createForPostgres(folder: string): void {
  const [, , uid, gid] = /^postgres:.*$/mu.exec(readFileSync('/etc/passwd', 'utf8'))?.[0].split(':') ?? [];
  mkdirSync(folder, { recursive: true });
  chownSync(folder, Number(uid), Number(gid));
}

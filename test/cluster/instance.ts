// One instance of Rowhouse with its workers, optionally with HAProxy on the same machine in front of the leader.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PASSWORD } from './database-node.ts';
import { deployFile } from './deploy-files.ts';
import type { Machine } from './network.ts';
import { listChildren, Program } from './program.ts';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
/** The connection string in a comment of rowhouse.conf. */
const [, THROUGH_HAPROXY = ''] = /^# db-uri = "(.+)"$/mu.exec(readFileSync(deployFile('rowhouse.conf'), 'utf8')) ?? [];

export class Instance {
  readonly machine: Machine;
  readonly #rowhouse: Program;
  readonly #haproxy: Program | undefined;

  constructor(machine: Machine, logs: string, { hasHaproxy }: { readonly hasHaproxy: boolean }) {
    this.machine = machine;
    this.#rowhouse = new Program(machine, [process.execPath, MAIN, deployFile('rowhouse.conf')], {
      environment: { PGPASSWORD: PASSWORD, ...(hasHaproxy ? { SVC_DB_URI: THROUGH_HAPROXY } : {}) },
      log: path.join(logs, `${machine.name}-rowhouse.log`),
    });
    const haproxy = new Program(machine, ['haproxy', '-db', '-f', deployFile('haproxy.cfg')], {
      log: path.join(logs, `${machine.name}-haproxy.log`),
    });
    this.#haproxy = hasHaproxy ? haproxy : undefined;
  }

  get workers(): readonly number[] {
    return listChildren(this.#rowhouse.pid);
  }

  start(): void {
    this.#haproxy?.start();
    this.#rowhouse.start();
  }

  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    return this.#rowhouse.end(signal);
  }

  /** Restarts the instance after `end`. */
  revive(): void {
    this.#rowhouse.start();
  }

  async isReady(): Promise<boolean> {
    const url = `http://${this.machine.address}:3001/ready`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
    return answer?.status === 200;
  }
}

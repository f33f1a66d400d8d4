// A Citus cluster: a coordinator and workers in a temporary folder, on free ports of the loopback interface. The
// PostgreSQL of ROWHOUSE_TEST_PG_BIN must have Citus.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Member } from '../support/replicated-cluster.ts';

const WORKERS = 2;

const SETTINGS: Readonly<Record<string, string>> = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  jit: 'off',
  max_connections: '200',
  max_prepared_transactions: '200',
  // Each database with Citus has a background process on each node.
  max_worker_processes: '40',
  'citus.enable_statistics_collection': 'off',
  'citus.node_conninfo': 'sslmode=disable',
};

export class CitusCluster {
  readonly coordinator: Member;
  readonly workers: readonly Member[];
  readonly #folder: string;

  private constructor(folder: string, settings: Readonly<Record<string, string>>) {
    this.#folder = folder;
    this.coordinator = new Member(path.join(folder, 'coordinator'), settings);
    this.workers = Array.from(
      { length: WORKERS },
      (_, index) => new Member(path.join(folder, `worker${index + 1}`), settings),
    );
  }

  /** @param settings merged over the common ones */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<CitusCluster> {
    const folder = path.join(os.tmpdir(), `rowhouse-citus-${randomBytes(6).toString('hex')}`);
    const cluster = new CitusCluster(folder, { ...SETTINGS, ...settings });
    await Promise.all(cluster.nodes.map((node) => node.start()));
    return cluster;
  }

  /** The coordinator first. */
  get nodes(): readonly Member[] {
    return [this.coordinator, ...this.workers];
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

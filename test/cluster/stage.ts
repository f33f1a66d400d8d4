// The whole cluster: three database servers, two instances of Rowhouse, nginx in front of them, and the load.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { withConnection, withDatabase } from '../../tools/embedded/script/sql-session.ts';
import { until } from '../support/until.ts';
import { runSql } from '../support/database.ts';
import { DatabaseNode, PASSWORD } from './database-node.ts';
import { deployFile } from './deploy-files.ts';
import { Instance } from './instance.ts';
import { LeaderWatch } from './leader-watch.ts';
import { Load } from './load.ts';
import { Machine, openNetwork } from './network.ts';
import { Program } from './program.ts';

/** Folder of the logs and of the report. */
export const LOGS: string = fileURLToPath(new URL('../../.rowhouse/cluster', import.meta.url));

/** The number of a request is not unique, so that a duplicated write is visible. */
const SCHEMA = `
  create schema api;
  create table api.entries (id bigint generated always as identity primary key, request bigint not null);
  create index on api.entries (request);
  create role web_anon nologin;
  create role authenticator login noinherit password '${PASSWORD}';
  grant web_anon, pg_read_all_stats to authenticator;
  grant usage on schema api to web_anon;
  grant select, insert on api.entries to web_anon;
`;

interface Member {
  readonly name: string;
  readonly role: string;
  /** Replication lag; a text if it is unknown. */
  readonly lag?: number | string;
  readonly timeline?: number;
}

export class Stage {
  readonly nodes: readonly DatabaseNode[];
  readonly instances: readonly Instance[];
  readonly watch: LeaderWatch;
  readonly #nginx: Program;
  #load: Load | undefined;

  private constructor(folder: string) {
    openNetwork(folder);
    const databases = (['db-1', 'db-2', 'db-3'] as const).map((name) => Machine.open(name, folder));
    this.nodes = databases.map((machine) => new DatabaseNode(machine, LOGS));
    this.instances = [
      new Instance(Machine.open('app-1', folder), LOGS, { hasHaproxy: false }),
      new Instance(Machine.open('app-2', folder), LOGS, { hasHaproxy: true }),
    ];
    const edge = Machine.open('edge', folder);
    this.#nginx = new Program(edge, ['nginx', '-e', 'stderr', '-g', 'daemon off;', '-c', deployFile('nginx.conf')], {
      log: path.join(LOGS, 'edge-nginx.log'),
    });
    this.watch = new LeaderWatch(this.nodes);
  }

  /** @param folder for the files of all machines; the caller removes it once nothing runs any more */
  static async open(folder: string): Promise<Stage> {
    rmSync(LOGS, { recursive: true, force: true });
    mkdirSync(LOGS, { recursive: true });
    const stage = new Stage(folder);
    for (const node of stage.nodes) node.start();
    await stage.#isReplicated();
    await stage.#createDatabase();
    for (const instance of stage.instances) instance.start();
    stage.#nginx.start();
    await stage.becomesWhole();
    stage.#load = new Load('10.0.0.31');
    return stage;
  }

  get load(): Load {
    if (this.#load === undefined) throw new Error('the load has not been started');
    return this.#load;
  }

  get leader(): DatabaseNode {
    const [leader, ...others] = this.watch.primaries;
    if (leader === undefined || others.length > 0) throw new Error(`there are ${others.length + 1} leaders or none`);
    return leader;
  }

  /** Waits for a leader with two replicas, and for all instances to be ready. */
  async becomesWhole(): Promise<void> {
    await this.#isReplicated();
    for (const instance of this.instances)
      await until(() => instance.isReady(), { why: () => `${instance.machine.name} is ready` });
  }

  /** Returns how often the table contains the number of each request. */
  async stored(): Promise<ReadonlyMap<number, number>> {
    const text = 'select request::float8, count(*)::int from api.entries group by 1';
    const rows = await withConnection(withDatabase(this.leader.uri, 'shop'), async (client) => {
      const { rows } = await client.query({ text, rowMode: 'array' });
      return rows as [number, number][];
    });
    return new Map(rows);
  }

  /** Returns a member by its role in Patroni, once the cluster is whole. */
  async memberWithRole(role: 'sync_standby' | 'replica'): Promise<DatabaseNode> {
    await this.becomesWhole();
    const members = await this.#listMembers();
    const name = members.find((member) => member.role === role)?.name;
    const node = this.nodes.find((each) => each.name === name);
    if (node === undefined) throw new Error(`there is no ${role} among ${JSON.stringify(members)}`);
    return node;
  }

  async close(): Promise<void> {
    await this.#load?.stop();
    await this.watch.stop();
  }

  async #createDatabase(): Promise<void> {
    await runSql(this.leader.uri, 'create database shop');
    await runSql(withDatabase(this.leader.uri, 'shop'), SCHEMA);
  }

  async #isReplicated(): Promise<void> {
    let seen: readonly Member[] = [];
    await until(
      async () => {
        seen = await this.#listMembers();
        const leader = seen.find(({ role }) => role === 'leader');
        // A member that no longer answers stays listed for a while.
        const following = seen.filter(({ lag, timeline }) => typeof lag === 'number' && timeline === leader?.timeline);
        return following.length === 2 && following.some(({ role }) => role === 'sync_standby');
      },
      { seconds: 120, why: () => `a leader and two replicas, but ${JSON.stringify(seen)}` },
    );
  }

  /** Lists the members known to the leader, because others may be cut off. */
  async #listMembers(): Promise<readonly Member[]> {
    const [leader, ...others] = this.watch.primaries;
    if (leader === undefined || others.length > 0) return [];
    const url = `http://${leader.machine.address}:8008/cluster`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    const { members = [] } = ((await answer?.json().catch(() => undefined)) ?? {}) as {
      readonly members?: readonly Member[];
    };
    return members;
  }
}

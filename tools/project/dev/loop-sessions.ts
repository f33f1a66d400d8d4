// The two sessions of the loop: one in the development database, one in the shadow, whose transaction stays open (`project.md`
// §2 item 2).
import type { Client } from 'pg';
import { SchemaRun } from '../run/schema-run.ts';
import type { ProjectDatabases } from './open-databases.ts';

export interface Sessions {
  readonly dev: Client;
  readonly shadow: Client;
  readonly shadowPid: number | undefined;
  /** Runs files in the shadow. */
  readonly run: SchemaRun;
}

export class LoopSessions {
  readonly #databases: Pick<ProjectDatabases, 'devUri' | 'shadowUri'>;
  readonly #connect: (uri: string) => Promise<Client>;
  #sessions: Sessions | undefined;

  constructor(databases: Pick<ProjectDatabases, 'devUri' | 'shadowUri'>, connect: (uri: string) => Promise<Client>) {
    this.#databases = databases;
    this.#connect = connect;
  }

  /** Connects unless both sessions are there. */
  async open(): Promise<Sessions> {
    if (this.#sessions !== undefined) return this.#sessions;
    const { devUri, shadowUri } = this.#databases;
    const dev = await this.#connect(devUri);
    const shadow = await this.#connect(shadowUri).catch(async (error: unknown) => {
      await dev.end();
      throw error;
    });
    const { rows } = await shadow.query<{ pid: number }>('select pg_catalog.pg_backend_pid() as pid');
    const sessions = { dev, shadow, shadowPid: rows[0]?.pid, run: new SchemaRun(shadow) };
    // The locks of one session left behind would block the next.
    const onEnd = (): void => void this.#leave(sessions);
    dev.once('end', onEnd);
    shadow.once('end', onEnd);
    this.#sessions = sessions;
    await shadow.query('begin');
    return sessions;
  }

  /**
   * Whether another session waits for the end of the shadow's transaction, as the log of live rows does before it begins:
   * PostgreSQL waits for all transactions of the cluster.
   */
  async areAwaited(): Promise<boolean> {
    if (this.#sessions === undefined) return false;
    const { dev, shadowPid } = this.#sessions;
    const waiting = 'select from pg_catalog.pg_stat_activity where $1::int = any (pg_catalog.pg_blocking_pids(pid))';
    return (await dev.query(waiting, [shadowPid])).rows.length > 0;
  }

  async close(): Promise<void> {
    await this.#leave(this.#sessions);
  }

  async #leave(sessions: Sessions | undefined): Promise<void> {
    if (sessions === undefined) return;
    if (this.#sessions === sessions) this.#sessions = undefined;
    await Promise.allSettled([sessions.dev.end(), sessions.shadow.end()]);
  }
}

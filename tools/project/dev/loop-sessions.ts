// The two sessions of the loop: one in the development database, one in the shadow, whose transaction stays open (`project.md`
// §2 item 2).
import type { Client } from 'pg';
import { SchemaRun } from '../run/schema-run.ts';
import type { ProjectDatabases } from './open-databases.ts';

/** How often a session that waits is looked for. */
const LOOK_MS = 500;

/** PostgreSQL keeps about 20 kB for the objects of each file that has run, until the session ends. */
const MAX_FILES_RUN = 5000;

const WAITING = `select from pg_catalog.pg_stat_activity as waiting, pg_catalog.pg_stat_activity as shadow
  where shadow.datname = $1 and shadow.pid = any (pg_catalog.pg_blocking_pids(waiting.pid))`;

export interface Sessions {
  readonly dev: Client;
  readonly shadow: Client;
  /** Runs files in the shadow. */
  readonly run: SchemaRun;
}

export class LoopSessions {
  readonly #databases: Pick<ProjectDatabases, 'devUri' | 'shadowUri'>;
  readonly #connect: (uri: string) => Promise<Client>;
  #sessions: Sessions | undefined;
  #look: NodeJS.Timeout | undefined;

  constructor(databases: Pick<ProjectDatabases, 'devUri' | 'shadowUri'>, connect: (uri: string) => Promise<Client>) {
    this.#databases = databases;
    this.#connect = connect;
  }

  /** Whether both sessions are there, as far as is known: they may have ended a moment ago. */
  get isOpen(): boolean {
    return this.#sessions !== undefined;
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
    const sessions = { dev, shadow, run: new SchemaRun(shadow) };
    // The locks of one session left behind would block the next.
    const onEnd = (): void => void this.#leave(sessions);
    dev.once('end', onEnd);
    shadow.once('end', onEnd);
    this.#sessions = sessions;
    await shadow.query('begin');
    return sessions;
  }

  /**
   * Gives both sessions up as soon as another one waits for the end of the shadow's transaction, as the log of live rows does
   * before it begins: PostgreSQL waits for all transactions of the cluster. The next update runs all files again.
   *
   * @param whenIdle runs a task when no update uses the sessions
   */
  yieldWhenAwaited(whenIdle: (task: () => Promise<void>) => void): void {
    clearTimeout(this.#look);
    const look = async (): Promise<void> => {
      if (this.#sessions === undefined) return;
      if (await this.#isAwaited(this.#sessions).catch(() => true)) await this.close();
      else this.yieldWhenAwaited(whenIdle);
    };
    this.#look = setTimeout(() => whenIdle(look), LOOK_MS);
    this.#look.unref();
  }

  /** Gives both sessions up if the one in the shadow holds much memory. The next update runs all files again. */
  async renewIfWorn(): Promise<void> {
    if ((this.#sessions?.run.filesRun ?? 0) > MAX_FILES_RUN) await this.close();
  }

  async #isAwaited({ dev, shadow }: Sessions): Promise<boolean> {
    const { rows } = await dev.query(WAITING, [shadow.database]);
    return rows.length > 0;
  }

  async close(): Promise<void> {
    clearTimeout(this.#look);
    await this.#leave(this.#sessions);
  }

  async #leave(sessions: Sessions | undefined): Promise<void> {
    if (sessions === undefined) return;
    if (this.#sessions === sessions) this.#sessions = undefined;
    await Promise.allSettled([sessions.dev.end(), sessions.shadow.end()]);
  }
}

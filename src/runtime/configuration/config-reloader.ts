// Reads all sources of the configuration anew and puts the result in force, or leaves the running one as it is
// (`operations.md` §1.8). What the database cannot tell for the moment stays as it was last told.
import type { AppConfig } from '../../config/app-config.ts';
import type { InDatabaseSettings } from '../../config/config-sources.ts';
import type { TextRow } from '../../config/in-database.ts';
import { inDatabaseName } from '../../config/option.ts';
import { decodeRoleSettings, type SettingsByRole } from '../../config/role-settings.ts';
import type { Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Observation, Observe } from '../../observe/observation.ts';
import { CoalescedTask } from '../scheduling/coalesced-task.ts';
import type { SessionProvider } from '../database/internal-queries.ts';
import type { ReadConfig } from './read-config.ts';
import { readDatabaseConfig } from './read-database-config.ts';

export interface ConfigReloaderOptions {
  readonly provider: SessionProvider;
  readonly readConfig: ReadConfig;
  readonly current: () => AppConfig;
  readonly observe: Observe;
  readonly apply: (config: AppConfig, roles: SettingsByRole) => void;
}

interface Fallback<T> {
  readonly kind: 'databaseSettingsFailed' | 'roleSettingsFailed';
  readonly known: T;
  readonly none: T;
}

export class ConfigReloader {
  readonly #options: ConfigReloaderOptions;
  readonly #task = new CoalescedTask(() => this.#reload());
  #settings: InDatabaseSettings = new Map();
  #roleRows: readonly TextRow[] = [];

  constructor(options: ConfigReloaderOptions) {
    this.#options = options;
  }

  /** Resolves when a reload that began no earlier than now is over. */
  reload(): Promise<void> {
    return this.#task.request();
  }

  async #reload(): Promise<void> {
    const { current, readConfig, apply, observe } = this.#options;
    // What file and environment say now decides whether the database is asked, and how; but the function to call may
    // have been named by the database itself, the last time.
    const own = readConfig(pickPreConfig(this.#settings), current());
    const settings = await this.#readDatabase(own.ok ? own.value : current());
    const config = readConfig(settings, current());
    if (!config.ok) return observe({ kind: 'configRefused', message: config.error.message });
    apply(config.value, config.value.dbConfig ? decodeRoleSettings(this.#roleRows) : new Map());
    observe({ kind: 'configReloaded' });
  }

  async #readDatabase(config: AppConfig): Promise<InDatabaseSettings> {
    if (!config.dbConfig) return new Map();
    const { settings, roles } = await readDatabaseConfig(this.#options.provider, config);
    this.#settings = this.#keep(settings, { kind: 'databaseSettingsFailed', known: this.#settings, none: new Map() });
    this.#roleRows = this.#keep(roles, { kind: 'roleSettingsFailed', known: this.#roleRows, none: [] });
    return this.#settings;
  }

  /** A connection lost for a moment must not undo what the database said before; a statement that fails does. */
  #keep<T>(read: Result<T, ApiError>, { kind, known, none }: Fallback<T>): T {
    if (read.ok) return read.value;
    const failed: Observation = { kind, error: read.error };
    this.#options.observe(failed);
    return isAnswer(read.error) ? none : known;
  }
}

function pickPreConfig(settings: InDatabaseSettings): InDatabaseSettings {
  const name = inDatabaseName('db-pre-config');
  return new Map([...settings].filter(([key]) => key === name));
}

/** Class 08: connection exception, 40: rollback, 53: insufficient resources, 57: intervention, 58: system error. */
const PASSING_STATES = /^(?:08|40|53|57|58)/u;

/** The database has dealt with the question, and would deal with it in the same way again. */
function isAnswer(error: ApiError): boolean {
  return error.kind === 'database' && !PASSING_STATES.test(error.report.sqlstate);
}

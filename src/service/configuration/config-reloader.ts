// Reloads the configuration from all sources and applies it, or keeps the current one (`operating.md` §1.8). Settings
// that the database cannot provide at the moment keep their last known values.
import type { AppConfig } from '../../config/table/app-config.ts';
import type { InDatabaseSettings } from '../../config/resolve/config-sources.ts';
import type { TextRow } from '../../config/resolve/in-database.ts';
import { inDatabaseName } from '../../config/table/option.ts';
import { decodeRoleSettings, findRoleMistakes, type SettingsByRole } from '../../config/resolve/role-settings.ts';
import { DIALECTS } from '../../contract/dialect.ts';
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
  /** Resolves when the configuration is in effect. */
  readonly apply: (config: AppConfig, roles: SettingsByRole) => Promise<void>;
  /** Called after a requested reload has been applied. */
  readonly announce: () => void;
}

interface Fallback<T> {
  readonly kind: 'databaseSettingsFailed' | 'roleSettingsFailed';
  readonly known: T;
  readonly none: T;
}

export class ConfigReloader {
  readonly #options: ConfigReloaderOptions;
  readonly #task = new CoalescedTask(() => this.#reload());
  /** The last reported failure of each kind, serialized. */
  readonly #failures = new Map<Observation['kind'], string>();
  #isRequested = false;
  #settings: InDatabaseSettings = new Map();
  #roleRows: readonly TextRow[] = [];

  constructor(options: ConfigReloaderOptions) {
    this.#options = options;
  }

  /**
   * Resolves when a reload that started after this call has ended.
   * @param isRetry whether the reload is automatic; it then reports only new failures
   */
  reload(isRetry = false): Promise<void> {
    this.#isRequested ||= !isRetry;
    return this.#task.request();
  }

  async #reload(): Promise<void> {
    const { current, readConfig, apply, announce } = this.#options;
    if (this.#isRequested) this.#failures.clear();
    const isRequested = this.#isRequested;
    this.#isRequested = false;
    // File and environment decide whether and how to query the database, but the name of the pre-config function may
    // come from the database settings of the last reload.
    const name = inDatabaseName('db-pre-config');
    const own = readConfig(new Map([...this.#settings].filter(([key]) => key === name)), current());
    const settings = await this.#readDatabase(own.ok ? own.value : current());
    const config = readConfig(settings, current());
    if (!config.ok) return this.#reportFailure({ kind: 'configRefused', message: config.error.message });
    await apply(config.value, config.value.dbConfig ? this.#decodeRoles(config.value) : new Map());
    if (isRequested) announce();
  }

  #decodeRoles({ dialect }: AppConfig): SettingsByRole {
    const { settingsPrefix } = DIALECTS[dialect];
    const [complaint] = findRoleMistakes(this.#roleRows, settingsPrefix);
    if (complaint !== undefined) this.#reportFailure({ kind: 'configDoubtful', complaint });
    return decodeRoleSettings(this.#roleRows);
  }

  /** Logs a failure once until its cause changes. */
  #reportFailure(failure: Observation): void {
    const cause = JSON.stringify(failure);
    if (this.#failures.get(failure.kind) === cause) return;
    this.#failures.set(failure.kind, cause);
    this.#options.observe(failure);
  }

  async #readDatabase(config: AppConfig): Promise<InDatabaseSettings> {
    if (!config.dbConfig) return new Map();
    const { settings, roles } = await readDatabaseConfig(this.#options.provider, config);
    this.#settings = this.#keep(settings, { kind: 'databaseSettingsFailed', known: this.#settings, none: new Map() });
    this.#roleRows = this.#keep(roles, { kind: 'roleSettingsFailed', known: this.#roleRows, none: [] });
    return this.#settings;
  }

  /** Keeps the last known settings if the connection is lost, but not if the statement fails. */
  #keep<T>(read: Result<T, ApiError>, { kind, known, none }: Fallback<T>): T {
    if (read.ok) return read.value;
    this.#reportFailure({ kind, error: read.error });
    // If the database itself rejected the statement, a retry would fail too.
    return read.error.kind === 'database' && !TRANSIENT_STATES.test(read.error.report.sqlstate) ? none : known;
  }
}

/** Class 08: connection exception, 40: rollback, 53: insufficient resources, 57: intervention, 58: system error. */
const TRANSIENT_STATES = /^(?:08|40|53|57|58)/u;

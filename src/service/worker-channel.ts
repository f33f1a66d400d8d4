// Passes configuration and catalog to the worker processes that answer requests.
import type { AppConfig } from '../config/table/app-config.ts';
import type { SettingsByRole } from '../config/resolve/role-settings.ts';
import type { ReceivedCatalog } from './schema-cache/serialized-catalog.ts';

export interface WorkerChannel {
  /** Resolves when all workers use the configuration. */
  readonly configure: (config: AppConfig, roles: SettingsByRole) => Promise<void>;
  /** Resolves when all workers use the catalog. */
  readonly publishCatalog: (rows: ReceivedCatalog) => Promise<void>;
  /** Call while the database is unreachable. @param seconds until the next attempt */
  readonly noticeWaiting: (seconds: number) => void;
}

// Other processes that answer requests by what this one reads: its configuration, its catalog.
import type { AppConfig } from '../config/table/app-config.ts';
import type { SettingsByRole } from '../config/resolve/role-settings.ts';
import type { ReceivedCatalog } from './schema-cache/serialized-catalog.ts';

export interface WorkerChannel {
  /** Resolves when requests are answered by it everywhere. */
  readonly configure: (config: AppConfig, roles: SettingsByRole) => Promise<void>;
  /** Resolves when requests are answered by it everywhere. */
  readonly publishCatalog: (rows: ReceivedCatalog) => Promise<void>;
  /** The database is away. @param seconds until it is tried again */
  readonly noticeWaiting: (seconds: number) => void;
}

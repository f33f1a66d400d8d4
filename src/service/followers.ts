// Other processes that answer requests by what this one reads: its configuration, its catalog.
import type { AppConfig } from '../config/table/app-config.ts';
import type { SettingsByRole } from '../config/resolve/role-settings.ts';
import type { ReceivedCatalog } from './schema-cache/catalog-parcel.ts';

export interface Followers {
  /** Resolves when requests are answered by it everywhere. */
  readonly configure: (config: AppConfig, roles: SettingsByRole) => Promise<void>;
  /** Resolves when requests are answered by it everywhere. */
  readonly adopt: (rows: ReceivedCatalog) => Promise<void>;
  /** The database is away. @param seconds until it is tried again */
  readonly noticeWaiting: (seconds: number) => void;
}

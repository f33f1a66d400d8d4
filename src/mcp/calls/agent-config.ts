// The configuration for the requests of tool calls. It differs from the configuration for clients only where a tool
// guarantees more than the API does.
import type { AppConfig } from '../../config/table/app-config.ts';

export function agentConfigOf(config: AppConfig): AppConfig {
  return {
    ...config,
    // Tools roll previews back by preference, so it must be allowed. With `rollback`, nothing is ever committed.
    dbTxEnd: config.dbTxEnd === 'commit' ? 'commit-allow-override' : config.dbTxEnd,
    // Tools never write without a filter.
    dbSafeUpdate: true,
    // Tools describe what the role may use, whatever description `/` returns to clients.
    openapiMode: 'follow-privileges',
    dbRootSpec: undefined,
  };
}

// The configuration of requests that are made from tool calls. It differs from that of clients only where a tool promises
// more than the API does.
import type { AppConfig } from '../../config/table/app-config.ts';

export function agentConfigOf(config: AppConfig): AppConfig {
  return {
    ...config,
    // A preview must be rolled back, whatever clients may choose. With `rollback`, nothing is ever committed.
    dbTxEnd: config.dbTxEnd === 'commit' ? 'commit-allow-override' : config.dbTxEnd,
    // Tools never write without a filter.
    dbSafeUpdate: true,
    // Tools describe what the role may use, even if `/` describes everything, nothing or something else.
    openapiMode: 'follow-privileges',
    dbRootSpec: undefined,
  };
}

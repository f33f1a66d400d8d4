// What differs between the requests of tool calls and those of clients: the configuration, where a tool guarantees more
// than the API does, and the headers that the database may set.
import type { AppConfig } from '../../../config/table/app-config.ts';
import type { ScriptResult, ScriptResults } from '../../../contract/transaction.ts';

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

/**
 * Prevents functions of the database from setting headers of a reply to a tool. Tools read from these headers whether a
 * write was committed and how many rows it changed.
 */
export function ignoreHeaders([first, ...others]: ScriptResults): ScriptResults {
  return [withoutHeaders(first), ...others.map(withoutHeaders)];
}

function withoutHeaders(result: ScriptResult): ScriptResult {
  return result.kind === 'outcome' ? { ...result, outcome: { ...result.outcome, settingHeaders: undefined } } : result;
}

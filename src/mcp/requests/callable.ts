// Decides which functions agents may call.
import type { DescribedFunction } from '../../contract/schema-document.ts';

/**
 * Without `mcp-writes`, agents may call only functions that run in a read-only transaction. The arguments select one of
 * several overloads, so all overloads must be read-only.
 */
export function isCallable(name: string, functions: readonly DescribedFunction[], mayWrite: boolean): boolean {
  const overloads = functions.filter((each) => each.name === name);
  return overloads.length > 0 && (mayWrite || overloads.every(({ isReadOnly }) => isReadOnly));
}

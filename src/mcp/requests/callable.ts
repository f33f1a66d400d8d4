// Decides which functions agents may call.
import type { DescribedFunction } from '../../contract/schema-document.ts';

/**
 * Without `mcp-writes`, agents may call only functions that run in a read-only transaction. The arguments choose among
 * functions of one name, so all of them must be such.
 */
export function isCallable(name: string, functions: readonly DescribedFunction[], mayWrite: boolean): boolean {
  const overloads = functions.filter((each) => each.name === name);
  return overloads.length > 0 && (mayWrite || overloads.every(({ isReadOnly }) => isReadOnly));
}

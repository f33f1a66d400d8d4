// Checks at startup whether the endpoint for agents can be served.
import type { AppConfig } from '../../config/table/app-config.ts';
import { loadSdk, SDK_PACKAGE, SDK_REMEDY } from './sdk.ts';

/** @returns the problem in sentences, if there is one */
export async function findAgentsProblem({ mcpPath, extensions }: AppConfig): Promise<string | undefined> {
  if (mcpPath === undefined) return undefined;
  if (!extensions.includes('mcp'))
    return 'mcp-path has no effect, because the extension mcp is off. Add it to extensions.';
  if ((await loadSdk()) !== undefined) return undefined;
  return `mcp-path requires the package ${SDK_PACKAGE}, which is not installed. ${SDK_REMEDY}`;
}

// Loads the SDK of the Model Context Protocol, an optional dependency that operators install to serve agents.
import type { AppConfig } from '../../../config/table/app-config.ts';
import type * as Sdk from '@modelcontextprotocol/server';

export const SDK_PACKAGE = '@modelcontextprotocol/server';
/** Tells the operator how to install the package. */
export const SDK_REMEDY: string = `Install it beside the server: npm install ${SDK_PACKAGE}@2`;

export type { Sdk };

let loading: Promise<typeof Sdk | undefined> | undefined;

/** @returns undefined if it is not installed */
export function loadSdk(): Promise<typeof Sdk | undefined> {
  loading ??= import('@modelcontextprotocol/server').catch((error: unknown) => {
    // Try again at the next call: the package may be installed while the server runs.
    loading = undefined;
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  });
  return loading;
}

/** Checks at startup whether the endpoint for agents can be served. @returns the problem in sentences, if there is one */
export async function findAgentsProblem({ mcpPath, extensions }: AppConfig): Promise<string | undefined> {
  if (mcpPath === undefined) return undefined;
  if (!extensions.mcp) return 'mcp-path has no effect, because the extension mcp is off. Add it to extensions.';
  if ((await loadSdk()) !== undefined) return undefined;
  return `mcp-path requires the package ${SDK_PACKAGE}, which is not installed. ${SDK_REMEDY}`;
}

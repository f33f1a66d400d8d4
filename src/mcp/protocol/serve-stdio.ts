// Serves one agent on the standard streams of the process.
import { createAgentServer, type AgentSession } from './agent-server.ts';
import type { Sdk } from './sdk.ts';

export interface StdioConnection {
  close(): Promise<void>;
}

/** @param onError called for messages that cannot be answered */
export async function serveStdio(
  sdk: typeof Sdk,
  session: () => AgentSession,
  onError: (error: Error) => void,
): Promise<StdioConnection> {
  const { serveStdio: serve } = await import('@modelcontextprotocol/server/stdio');
  return serve(() => createAgentServer(sdk, session()), { onerror: onError, maxSubscriptions: 0 });
}

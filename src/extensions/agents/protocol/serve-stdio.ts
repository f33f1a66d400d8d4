// Serves one agent on the standard streams of the process.
import { createAgentServer, type AgentSession } from './agent-server.ts';
import type { Sdk } from './sdk.ts';

export interface StdioEvents {
  /** Told of messages that cannot be answered, at most one a second. */
  readonly onError: (reason: string) => void;
  /** The agent has closed an end, or sent a message that is too long to read. */
  readonly onClose: () => void;
}

const REPORT_MS = 1000;
const MAX_REASON_LENGTH = 200;

export async function serveStdio(
  sdk: typeof Sdk,
  session: () => AgentSession,
  { onError, onClose }: StdioEvents,
): Promise<{ close(): Promise<void> }> {
  const { serveStdio: serve, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const transport = new StdioServerTransport();
  let reportedAt = Number.NEGATIVE_INFINITY;
  const onerror = ({ message }: Error): void => {
    if (performance.now() - reportedAt < REPORT_MS) return;
    reportedAt = performance.now();
    onError(message.replaceAll(/\s+/gu, ' ').slice(0, MAX_REASON_LENGTH));
  };
  const connection = serve(() => createAgentServer(sdk, session()), { transport, onerror, maxSubscriptions: 0 });
  const close = transport.onclose;
  // It is no EventTarget: the SDK has one listener, which it has just set.
  Object.assign(transport, {
    onclose: () => {
      close?.();
      onClose();
    },
  });
  return connection;
}

// Calls the tools at start-up, with arguments that they refuse. The first calls of a process compile schemas of the SDK
// and of the tools, which would hold up all other requests for more than a tenth of a second.
import type { HeaderList } from '../../../contract/http.ts';
import type { AgentSession } from '../protocol/agent-server.ts';
import { loadSdk, type Sdk } from '../protocol/sdk.ts';
import { listTools } from '../tools/tools.ts';
import { answerWithSdk } from './answer-agent.ts';

/** What a session has without an agent. */
export type AgentEnvironment = Pick<AgentSession, 'config' | 'dialect' | 'pause' | 'product'>;

/** Does nothing if agents are not served over HTTP. */
export async function warmUpEndpoint(environment: AgentEnvironment): Promise<void> {
  const { mcpPath, extensions } = environment.config;
  const sdk = mcpPath !== undefined && extensions.mcp ? await loadSdk() : undefined;
  if (sdk !== undefined) await warmUp(sdk, environment);
}

/** @param environment whose configuration is the one of the calls to come */
export async function warmUp(sdk: typeof Sdk, environment: AgentEnvironment): Promise<void> {
  const refuse = (): never => {
    throw new Error('a tool has accepted an unknown argument');
  };
  const session = { ...environment, agent: { headers: [] }, call: refuse, planning: () => undefined };
  for (const revision of [HANDSHAKE, STATELESS])
    for (const { name } of listTools(environment.config)) await answerWithSdk(sdk, buildCall(name, revision), session);
}

const HANDSHAKE = '2025-11-25';
const STATELESS = '2026-07-28';

function buildCall(name: string, revision: string): Parameters<typeof answerWithSdk>[1] {
  const isStateless = revision === STATELESS;
  const own: HeaderList = isStateless
    ? [
        ['mcp-method', 'tools/call'],
        ['mcp-name', name],
      ]
    : [];
  const headers: HeaderList = [
    ['accept', 'application/json, text/event-stream'],
    ['content-type', 'application/json'],
    ['mcp-protocol-version', revision],
    ...own,
  ];
  const params = { name, arguments: { '': true }, ...(isStateless && { _meta: META }) };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  return { method: 'POST', path: '/', rawQuery: '', headers, body: new TextEncoder().encode(JSON.stringify(message)) };
}

const META = {
  'io.modelcontextprotocol/protocolVersion': STATELESS,
  'io.modelcontextprotocol/clientInfo': { name: 'warm-up', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

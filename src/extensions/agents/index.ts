// Agents (`beyond.md` §3.2): turns tool calls of the Model Context Protocol into requests, and their responses into
// results. Uses the SDK of the protocol, which may be missing.
import type { Extension } from '../../serve/extension.ts';
import { agentConfigOf, ignoreHeaders } from './calls/agent-config.ts';
import { ROUTES } from './http/answer-agent.ts';
import { findAgentRoute } from './http/protected-resource.ts';
import { warmUpEndpoint } from './http/warm-up.ts';
import { findAgentsProblem } from './protocol/sdk.ts';

export const AGENTS: Extension = {
  name: 'agents',
  calls: { configOf: agentConfigOf, read: ignoreHeaders },
  start: () => ({
    apply({ config }) {
      const { mcpPath: ownPath, extensions } = config;
      if (ownPath === undefined || !extensions.mcp) return { ownPath };
      return {
        ownPath,
        findRoute(request) {
          const route = findAgentRoute(request, ownPath, config);
          return route && ROUTES[route];
        },
      };
    },
    findProblem: findAgentsProblem,
    warmUp: warmUpEndpoint,
  }),
};

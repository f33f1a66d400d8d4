import { fail, ok } from '../../src/contract/result.ts';
import { type Command, defineCommand, SOURCE } from '../command-line/command.ts';

export const mcp: Command = defineCommand({
  name: 'mcp',
  operands: SOURCE,
  doc: 'Serve the database to an agent on standard input and output, with the Model Context Protocol',
  flags: {
    '--role NAME': 'Database role whose privileges the agent has (default: db-anon-role)',
    '--token TOKEN': 'Token that the agent acts under, instead of a role; @FILE reads it from a file',
  },
  isConfigured: true,
  read({ value }) {
    const [role, token] = [value('role'), value('token')];
    return role !== undefined && token !== undefined ? fail('Specify either --role or --token') : ok({ role, token });
  },
  run: async (identity, { location }) => (await import('../mcp/serve-agent.ts')).serveAgent(identity, location),
});

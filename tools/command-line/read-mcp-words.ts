// Reads the arguments of `mcp`: whose privileges the agent has.
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { CommandOf } from './command.ts';
import type { Flag } from './flags.ts';
import type { Words } from './read-words.ts';

export const MCP_FLAGS: readonly Flag[] = [
  { name: 'role', value: 'NAME', doc: 'Database role whose privileges the agent has (default: db-anon-role)' },
  {
    name: 'token',
    value: 'TOKEN',
    doc: 'Token that the agent acts under, instead of a role; @FILE reads it from a file',
  },
];

export function readMcpWords({ values }: Words): Result<CommandOf<'mcp'>, string> {
  const role = values.get('role')?.at(-1);
  const token = values.get('token')?.at(-1);
  if (role !== undefined && token !== undefined) return fail('Specify either --role or --token');
  if (role !== undefined) return ok({ kind: 'mcp', identity: { kind: 'role', role } });
  return ok({ kind: 'mcp', identity: token === undefined ? undefined : { kind: 'token', token } });
}

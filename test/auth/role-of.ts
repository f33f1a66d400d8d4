// Sample claims for the tests of role paths, and helpers to look up a role in them.
import { parseRolePath, printRolePath, resolveRole } from '../../src/auth/role-path.ts';

const CLAIMS = {
  roles: ['basic', 'port_clerk', 'ops'],
  duty: { role: 'clerk' },
  'https://port.example/role': 'pilot',
  'a b': { 'c.d': 'quoted' },
  '_x$y@': 'odd',
  größe: 'wide',
  grants: [
    { site: 'south', role: 'x', level: 1 },
    { site: 'north', role: 'harbour_master', level: 2, wanted: 'north' },
  ],
  mixed: [5, { z: 1 }, null, 'text', true],
  wanted: 'ops',
  count: 5,
};

/** Returns the role that a path finds; throws if the text is not a path. */
export function role(text: string, claims: Record<string, unknown> = CLAIMS): string | undefined {
  const path = parseRolePath(text);
  if (!path.ok) throw new Error(path.error);
  return resolveRole(path.value, claims);
}

/** Returns the dump form of a path; undefined if the text is not a path. */
export function print(text: string): string | undefined {
  const path = parseRolePath(text);
  return path.ok ? printRolePath(path.value) : undefined;
}

// Reads the arguments of `token`: the claims of the token and its lifetime.
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { CommandOf } from './command.ts';
import type { Flag } from './flags.ts';
import type { Words } from './read-words.ts';

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const DEFAULT_LIFETIME = '1h';

export const TOKEN_FLAGS: readonly Flag[] = [
  { name: 'role', value: 'NAME', doc: 'Database role of requests with this token; required' },
  {
    name: 'claim',
    value: 'NAME=VALUE',
    doc: 'Additional claim, can be repeated; the value is JSON if it parses as JSON, else text',
  },
  {
    name: 'expires',
    value: 'TIME',
    doc: `How long the token is valid: 90s, 15m, 12h, 30d (default: ${DEFAULT_LIFETIME})`,
  },
];

export function readTokenWords({ values }: Words): Result<CommandOf<'token'>, string> {
  const role = values.get('role')?.at(-1);
  if (role === undefined) return fail('token requires a role: --role=NAME');
  const lifetime = readLifetime(values.get('expires')?.at(-1) ?? DEFAULT_LIFETIME);
  if (lifetime === undefined) return fail('--expires requires a positive integer with a unit: 90s, 15m, 12h, 30d');
  const claims = (values.get('claim') ?? []).map(readClaim);
  if (claims.includes(undefined)) return fail('--claim requires a name and a value: --claim=NAME=VALUE');
  return ok({
    kind: 'token',
    role,
    lifetime,
    claims: Object.fromEntries(claims.filter((claim) => claim !== undefined)),
  });
}

function readLifetime(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,9})([smhd])$/u.exec(text) ?? [];
  return Number(digits) * (SECONDS[unit] ?? 0) || undefined;
}

/** Returns undefined if the name or `=` is missing. */
function readClaim(text: string): readonly [name: string, value: unknown] | undefined {
  const end = text.indexOf('=');
  return end < 1 ? undefined : [text.slice(0, end), readValue(text.slice(end + 1))];
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

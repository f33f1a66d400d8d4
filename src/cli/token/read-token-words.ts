// The words behind `token` → what the token is to say, and for how long.
import { fail, ok, type Result } from '../../contract/result.ts';
import type { CommandOf } from '../arguments/command.ts';
import type { Flag } from '../arguments/flags.ts';
import type { Words } from '../arguments/read-words.ts';

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const DEFAULT_LIFETIME = '1h';

export const TOKEN_FLAGS: readonly Flag[] = [
  { name: 'role', value: 'NAME', doc: 'Role of the database that requests with the token run as; always needed' },
  {
    name: 'claim',
    value: 'NAME=VALUE',
    doc: 'A claim more, as often as you like; what parses as JSON is JSON, else text',
  },
  { name: 'expires', value: 'TIME', doc: `How long it is valid: 90s, 15m, 12h, 30d (default: ${DEFAULT_LIFETIME})` },
];

export function readTokenWords({ values }: Words): Result<CommandOf<'token'>, string> {
  const role = values.get('role')?.at(-1);
  if (role === undefined) return fail('The command token needs a role: --role=NAME');
  const lifetime = readLifetime(values.get('expires')?.at(-1) ?? DEFAULT_LIFETIME);
  if (lifetime === undefined) return fail('--expires needs a whole number above 0 and a unit: 90s, 15m, 12h, 30d');
  const claims = (values.get('claim') ?? []).map(readClaim);
  if (claims.includes(undefined)) return fail('--claim needs a name and a value: --claim=NAME=VALUE');
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

/** Undefined without a name or without `=`. */
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

import { fail, ok } from '../../src/contract/result.ts';
import { type Command, defineCommand, SOURCE } from '../command-line/command.ts';
import { isProjectFolder } from '../command-line/operands.ts';

const DEFAULT_LIFETIME = '1h';

export const token: Command = defineCommand({
  name: 'token',
  operands: SOURCE,
  doc: 'Show a token signed with the configured secret, for testing',
  flags: {
    '--role NAME': 'Database role of requests with this token; required',
    '--claim NAME=VALUE': 'Additional claim, can be repeated; the value is JSON if it parses as JSON, else text',
    '--expires TIME': `How long the token is valid: 90s, 15m, 12h, 30d (default: ${DEFAULT_LIFETIME})`,
  },
  isConfigured: true,
  read({ value, values }) {
    const role = value('role');
    if (role === undefined) return fail('token requires a role: --role=NAME');
    const lifetime = readLifetime(value('expires') ?? DEFAULT_LIFETIME);
    if (lifetime === undefined) return fail('--expires requires a positive integer with a unit: 90s, 15m, 12h, 30d');
    const claims = values('claim').map(readClaim);
    if (claims.includes(undefined)) return fail('--claim requires a name and a value: --claim=NAME=VALUE');
    return ok({ role, lifetime, claims: Object.fromEntries(claims.filter((claim) => claim !== undefined)) });
  },
  /** In the folder of a project that `dev` serves, its key signs unless another one is configured. */
  async run(options, { location }) {
    const running = isProjectFolder('.')
      ? (await import('../project/folder/running-dev.ts')).readRunningDev(process.cwd())
      : undefined;
    const defaults = running?.key === undefined ? {} : { 'jwt-secret': running.key };
    const { issueToken } = await import('../token/issue-token.ts');
    return issueToken(options, { ...location, defaults: { ...location.defaults, ...defaults } });
  },
});

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Returns seconds; undefined if the text is no positive integer with a unit. */
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

// Tokens that must be rejected, and a few unusual ones that must be accepted.
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { SECRET, type Roles } from './fixture.ts';

export interface TokenTrick {
  readonly name: string;
  readonly header: (roles: Roles) => string;
  /** Allowed statuses. */
  readonly statuses: readonly number[];
}

type Json = Readonly<Record<string, unknown>>;

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

function signed(header: unknown, claims: unknown, secret = SECRET): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

const HS256 = { alg: 'HS256', typ: 'JWT' };
const token = (claims: unknown, header: Json = HS256): string => `Bearer ${signed(header, claims)}`;
const REFUSED = [401];

/** Signs with the sender's own key, which the header contains. */
function withOwnKey({ user }: Roles): string {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const header = { alg: 'RS256', jwk: publicKey.export({ format: 'jwk' }) };
  const text = `${encode(header)}.${encode({ role: user })}`;
  return `Bearer ${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
}

function tampered(roles: Roles): string {
  const [head = '', , signature = ''] = signed(HS256, { role: roles.anon }).split('.');
  return `Bearer ${head}.${encode({ role: roles.user })}.${signature}`;
}

const SIGNATURES: readonly TokenTrick[] = [
  {
    name: 'no algorithm',
    header: ({ user }) => `Bearer ${encode({ alg: 'none' })}.${encode({ role: user })}.`,
    statuses: REFUSED,
  },
  {
    name: 'NONE in capitals',
    header: ({ user }) => `Bearer ${encode({ alg: 'NONE' })}.${encode({ role: user })}.`,
    statuses: REFUSED,
  },
  {
    name: 'an empty signature',
    header: ({ user }) => `Bearer ${encode(HS256)}.${encode({ role: user })}.`,
    statuses: REFUSED,
  },
  {
    name: 'a wrong secret',
    header: ({ user }) => `Bearer ${signed(HS256, { role: user }, `${SECRET}!`)}`,
    statuses: REFUSED,
  },
  { name: 'the empty secret', header: ({ user }) => `Bearer ${signed(HS256, { role: user }, '')}`, statuses: REFUSED },
  { name: 'claims of another token', header: tampered, statuses: REFUSED },
  { name: 'a key of its own', header: withOwnKey, statuses: REFUSED },
  {
    name: 'a different algorithm in the header',
    header: ({ user }) => token({ role: user }, { alg: 'RS256' }),
    statuses: REFUSED,
  },
  {
    name: 'an algorithm that is not a string',
    header: ({ user }) => token({ role: user }, { alg: ['HS256'] }),
    statuses: REFUSED,
  },
  {
    name: 'a critical extension',
    header: ({ user }) => token({ role: user }, { ...HS256, crit: ['x'], x: 1 }),
    statuses: REFUSED,
  },
  { name: 'four parts', header: ({ user }) => `${token({ role: user })}.x`, statuses: REFUSED },
  {
    name: 'blanks in the signature',
    header: ({ user }) => `${token({ role: user })} `.replace(/.$/u, '!'),
    statuses: REFUSED,
  },
  { name: 'padding', header: ({ user }) => `${token({ role: user })}==`, statuses: REFUSED },
  { name: 'claims that are not JSON', header: () => token('not json'), statuses: REFUSED },
  { name: 'claims that are a list', header: () => token([{ role: 'x' }]), statuses: REFUSED },
  { name: 'claims that are a number', header: () => token(1), statuses: REFUSED },
  { name: 'claims that are invalid UTF-8', header: () => token('{"role":"\ud800"}'), statuses: [200, 401, 403] },
  {
    name: 'deeply nested claims',
    header: ({ user }) => token(`{"role":"${user}","x":${'['.repeat(9000)}${']'.repeat(9000)}}`),
    statuses: [200, 400, 401],
  },
];

const CLAIMS: readonly TokenTrick[] = [
  { name: 'expired', header: ({ user }) => token({ role: user, exp: 1 }), statuses: REFUSED },
  { name: 'not yet valid', header: ({ user }) => token({ role: user, nbf: 99_999_999_999 }), statuses: REFUSED },
  { name: 'issued in the future', header: ({ user }) => token({ role: user, iat: 99_999_999_999 }), statuses: REFUSED },
  {
    name: 'an expiry that is a string',
    header: ({ user }) => token({ role: user, exp: '99999999999' }),
    statuses: REFUSED,
  },
  {
    name: 'an expiry that is a list',
    header: ({ user }) => token({ role: user, exp: [99_999_999_999] }),
    statuses: REFUSED,
  },
  { name: 'a negative expiry', header: ({ user }) => token({ role: user, exp: -1 }), statuses: REFUSED },
  {
    name: 'an expiry beyond the number range',
    header: ({ user }) => token(`{"role":"${user}","exp":1e999}`),
    statuses: [200, 401],
  },
  { name: 'the role of a superuser', header: () => token({ role: 'postgres' }), statuses: [401, 403] },
  { name: 'a role that does not exist', header: () => token({ role: 'nobody_at_all' }), statuses: [400, 401, 403] },
  {
    name: 'a role with a quote',
    header: ({ user }) => token({ role: `${user}"; set role postgres; --` }),
    statuses: [400, 401, 403],
  },
  { name: 'the role none', header: () => token({ role: 'none' }), statuses: [200, 400, 401, 403] },
  { name: 'an empty role', header: () => token({ role: '' }), statuses: [200, 400, 401, 403] },
  { name: 'a role with NUL', header: ({ user }) => token({ role: `${user}\0` }), statuses: [400, 401, 403] },
  { name: 'a role that is a list', header: ({ user }) => token({ role: [user] }), statuses: [200, 400, 401, 403] },
  {
    name: 'a role that is an object',
    header: ({ user }) => token({ role: { name: user } }),
    statuses: [200, 400, 401, 403],
  },
  { name: 'a role of 64 bytes', header: () => token({ role: 'r'.repeat(64) }), statuses: [400, 401, 403] },
  { name: 'two roles', header: ({ user, anon }) => token(`{"role":"${user}","role":"${anon}"}`), statuses: [200, 401] },
  { name: 'a role by __proto__', header: ({ user }) => token(`{"__proto__":{"role":"${user}"}}`), statuses: [200] },
];

const SCHEMES: readonly TokenTrick[] = [
  { name: 'no token after Bearer', header: () => 'Bearer', statuses: REFUSED },
  { name: 'a blank after Bearer', header: () => 'Bearer ', statuses: REFUSED },
  { name: 'two tokens', header: ({ user }) => `${token({ role: user })}, ${token({ role: user })}`, statuses: REFUSED },
  { name: 'a tab', header: ({ user }) => token({ role: user }).replace(' ', '\t'), statuses: [200, 401] },
  { name: 'basic credentials', header: () => 'Basic cG9zdGdyZXM6cG9zdGdyZXM=', statuses: [200, 401] },
];

export const TOKEN_TRICKS: readonly TokenTrick[] = [...SIGNATURES, ...CLAIMS, ...SCHEMES];

// The command `token` as an operator runs it. The tests verify its tokens with the code of the server.
import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { verifyJwt } from '../../../src/auth/verify-jwt.ts';
import { loadVerificationKeys } from '../../../src/service/tokens/jwt-keys.ts';
import { type Ended, runProgram } from '../../support/spawned-server.ts';
import type { Options } from '../../support/local-server.ts';

const SECRET = 'no more than a test, and long enough for it';

function issue(line: string, options: Options = {}): Promise<Ended> {
  const all = { 'jwt-secret': SECRET, 'db-config': false, ...options };
  return runProgram(['token', ...line.split(' ')], { options: all });
}

/** Verifies the token on standard output, which must contain nothing else. */
function readClaims({ stdout }: Ended, secret = SECRET): unknown {
  const keys = loadVerificationKeys(Buffer.from(secret));
  expect(keys.ok && stdout.endsWith('\n')).toBe(true);
  const verified = verifyJwt(stdout.trimEnd(), keys.ok ? keys.value : []);
  return verified.ok ? verified.value.claims : verified.error;
}

function readExpiry(ended: Ended): number {
  return (readClaims(ended) as { readonly exp: number }).exp - Math.floor(Date.now() / 1000);
}

test('standard output contains only the token; claims that parse as JSON are JSON', async () => {
  const ended = await issue('--role clerk --claim id=7 --claim name=Emma --claim tags=["a=b"]', { 'jwt-aud': 'shop' });
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  const exp = expect.any(Number) as number;
  expect(readClaims(ended)).toEqual({ role: 'clerk', id: 7, name: 'Emma', tags: ['a=b'], aud: 'shop', exp });
  expect(readExpiry(ended)).toBeGreaterThan(3500);
  expect(readExpiry(ended)).toBeLessThanOrEqual(3600);
});

test('an unreachable database is not reported unless the configuration names it', async () => {
  const options = { 'jwt-secret': SECRET };
  // A role that cannot log in, even if this machine has a database at the default address.
  const environment = { PGUSER: 'nobody_here' };
  const ended = await runProgram(['token', '--role', 'clerk'], { options, environment });
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  expect(readClaims(ended)).toMatchObject({ role: 'clerk' });
});

test('--expires sets the lifetime', async () => {
  const days = readExpiry(await issue('--role clerk --expires 2d'));
  expect(days).toBeGreaterThan(172_700);
  expect(days).toBeLessThanOrEqual(172_800);
});

test.each([
  ['$.realm.access.role', '--claim realm={"id":1}', { realm: { id: 1, access: { role: 'clerk' } } }],
  [`$['https://example.com/role']`, '--claim a=1', { a: 1, 'https://example.com/role': 'clerk' }],
  ['.roles[0]', '--claim roles=["clerk"]', { roles: ['clerk'] }],
])('the role is placed at the path of jwt-role-claim-key: %s', async (path, claims, expected) => {
  const ended = await issue(`--role clerk ${claims} --claim exp=9999999999`, { 'jwt-role-claim-key': path });
  expect(readClaims(ended)).toEqual({ ...expected, exp: 9_999_999_999 });
});

test('the header contains the id of a key from a key set', async () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const oct = { kty: 'oct', kid: 'ours', k: Buffer.from(SECRET).toString('base64url') };
  const set = JSON.stringify({ keys: [publicKey.export({ format: 'jwk' }), oct] });
  const ended = await issue('--role clerk', { 'jwt-secret': set });
  expect(readClaims(ended, set)).toMatchObject({ role: 'clerk' });
  const header = Buffer.from(ended.stdout.split('.')[0] ?? '', 'base64url').toString();
  expect(JSON.parse(header)).toEqual({ alg: 'HS256', typ: 'JWT', kid: 'ours' });
});

test('a public key, a path with steps other than names, or a missing secret is an error', async () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const refusals = await Promise.all([
    issue('--role clerk', { 'jwt-secret': JSON.stringify(publicKey.export({ format: 'jwk' })) }),
    issue('--role clerk', { 'jwt-role-claim-key': '$.roles[0]' }),
    runProgram(['token', '--role', 'clerk'], { options: { 'db-config': false } }),
  ]);
  expect(refusals.map(({ code, stdout }) => [code, stdout])).toEqual(refusals.map(() => [1, '']));
  expect(refusals.map(({ stderr }) => stderr)).toEqual([
    'jwt-secret contains no secret for HS256. Public keys can only verify tokens; get tokens from the issuer that has the private key.\n',
    'Cannot place the role, because jwt-role-claim-key is $.roles[0]. Use --claim to add claims in which that path finds the role clerk.\n',
    expect.stringMatching(/^Cannot sign a token, because jwt-secret is not set\. Either\n  - name the configuration/u),
  ]);
  expect(refusals[2]?.stderr).toMatch(
    /\n  - for `.* dev URI`, pass the key from the link that it prints, after #key=: SVC_JWT_SECRET=KEY .* token --role NAME\n$/u,
  );
});

test.each([
  ['--claim a=1', 'token requires a role: --role=NAME'],
  ['--role clerk --claim =1', '--claim requires a name and a value: --claim=NAME=VALUE'],
  ['--role clerk --expires 0h', '--expires requires a positive integer with a unit: 90s, 15m, 12h, 30d'],
])('the arguments %j are rejected', async (line, message) => {
  const { code, stderr } = await issue(line);
  const usage = 'Usage: rowhouse token [FLAG]... [--OPTION VALUE]... [FILE] [URI]';
  expect([code, stderr]).toEqual([1, `${message}\n\n${usage}\n\nrowhouse help token shows all flags.\n`]);
});

// `rowhouse token`: prints a token signed with the configured secret.
import type { JsonObject } from '../../src/util/json-object.ts';
import type { KeyDescription } from '../../src/auth/jwk.ts';
import { parseKeys } from '../../src/auth/keys.ts';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import { signToken } from './sign-token.ts';
import type { ConfigLocation } from '../../src/service/configuration/read-config.ts';
import type { CommandOf } from '../command-line/command.ts';
import { withWholeConfig } from '../support/with-config.ts';
import { placeRole } from './place-role.ts';

/** Prints only the token to standard output. @returns the exit code */
export async function issueToken(command: CommandOf<'token'>, location: ConfigLocation): Promise<number> {
  const sign = (config: AppConfig): Promise<Result<string, string>> => {
    const now = Math.floor(Date.now() / 1000);
    return Promise.resolve(makeToken({ ...command, expiry: now + command.lifetime }, config));
  };
  const token = await withWholeConfig(location, sign, { ignoreFailures: 'ifNotNamed' });
  if (token === undefined) return 1;
  if (token.ok) process.stdout.write(`${token.value}\n`);
  else process.stderr.write(`${token.error}\n`);
  return token.ok ? 0 : 1;
}

interface TokenContents {
  readonly role: string;
  readonly claims: JsonObject;
  /** Seconds since 1970; overridden by a claim `exp`. */
  readonly expiry: number;
}

function makeToken(
  { role, claims, expiry }: TokenContents,
  { jwtSecret, jwtAud, jwtIssuer, jwtRoleClaimKey }: AppConfig,
): Result<string, string> {
  const key = findSigningKey(jwtSecret);
  if (!key.ok) return key;
  const audience = jwtAud === undefined ? {} : { aud: jwtAud };
  const issuer = jwtIssuer === undefined ? {} : { iss: jwtIssuer };
  const placed = placeRole({ ...issuer, ...audience, exp: expiry, ...claims }, role, jwtRoleClaimKey);
  return placed.ok ? ok(signToken(placed.value, key.value.bytes, key.value.kid)) : placed;
}

type SecretKey = Extract<KeyDescription, { readonly kind: 'secret' }>;

function findSigningKey(secret: Uint8Array | undefined): Result<SecretKey, string> {
  if (secret === undefined) return fail('Cannot sign a token, because jwt-secret is not set.');
  const keys = parseKeys(secret);
  if (!keys.ok) return keys;
  for (const key of keys.value) if (key.kind === 'secret' && key.algorithms.includes('HS256')) return ok(key);
  return fail(
    'jwt-secret contains no secret for HS256. Public keys can only verify tokens; get tokens from the issuer that has the private key.',
  );
}

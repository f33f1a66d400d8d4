// `rowhouse token`: signs a token with the configured secret, as an issuer would, and shows it.
import type { JsonObject } from '../../util/json-object.ts';
import type { KeyDescription } from '../../auth/jwk.ts';
import { parseKeys } from '../../auth/keys.ts';
import type { AppConfig } from '../../config/table/app-config.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { signToken } from '../../embedded/sign-token.ts';
import type { ConfigLocation } from '../../service/configuration/read-config.ts';
import type { CommandOf } from '../arguments/command.ts';
import { withWholeConfig } from '../configuration/with-config.ts';
import { placeRole } from './place-role.ts';

/** @returns the exit code; nothing but the token goes to standard output */
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
  /** Seconds since 1970; a claim `exp` goes before it. */
  readonly expiry: number;
}

function makeToken(
  { role, claims, expiry }: TokenContents,
  { jwtSecret, jwtAud, jwtRoleClaimKey }: AppConfig,
): Result<string, string> {
  const key = findSigningKey(jwtSecret);
  if (!key.ok) return key;
  const audience = jwtAud === undefined ? {} : { aud: jwtAud };
  const placed = placeRole({ ...audience, exp: expiry, ...claims }, role, jwtRoleClaimKey);
  return placed.ok ? ok(signToken(placed.value, key.value.bytes, key.value.kid)) : placed;
}

type SecretKey = Extract<KeyDescription, { readonly kind: 'secret' }>;

function findSigningKey(secret: Uint8Array | undefined): Result<SecretKey, string> {
  if (secret === undefined) return fail('jwt-secret is not set, so there is nothing to sign with.');
  const keys = parseKeys(secret);
  if (!keys.ok) return keys;
  for (const key of keys.value) if (key.kind === 'secret' && key.algorithms.includes('HS256')) return ok(key);
  return fail(
    'jwt-secret holds no secret for HS256. Public keys verify tokens and cannot sign them: whoever has the private key issues the tokens.',
  );
}

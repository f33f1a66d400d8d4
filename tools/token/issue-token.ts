// `rowhouse token`: prints a token signed with the configured secret.
import { createHmac } from 'node:crypto';
import { type JsonObject, isJsonObject } from '../../src/util/json-object.ts';
import type { KeyDescription } from '../../src/auth/jwk.ts';
import { parseKeys } from '../../src/auth/keys.ts';
import type { AppConfig } from '../../src/config/table/app-config.ts';
import { fail, ok, type Result } from '../../src/contract/result.ts';
import type { ConfigLocation } from '../../src/service/configuration/read-config.ts';
import { findOwnCommand } from '../support/own-command.ts';
import { withWholeConfig } from '../support/with-config.ts';
import { parseRolePath, resolveRole, type RolePath } from '../../src/auth/role-path.ts';

interface TokenCommand {
  readonly role: string;
  /** Claims other than the role. */
  readonly claims: JsonObject;
  /** Seconds from now. */
  readonly lifetime: number;
}

/** Prints only the token to standard output. @returns the exit code */
export async function issueToken(command: TokenCommand, location: ConfigLocation): Promise<number> {
  const sign = (config: AppConfig): Promise<Result<string, string>> => {
    const now = Math.floor(Date.now() / 1000);
    return Promise.resolve(makeToken(command.role, command.claims, now + command.lifetime, config));
  };
  const token = await withWholeConfig(location, sign, 'ifNotNamed');
  if (token === undefined) return 1;
  if (token.ok) process.stdout.write(`${token.value}\n`);
  else process.stderr.write(`${token.error}\n`);
  return token.ok ? 0 : 1;
}

/** @param expiry seconds since 1970; overridden by a claim `exp` */
function makeToken(
  role: string,
  claims: JsonObject,
  expiry: number,
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
  if (secret === undefined) return fail(renderMissingSecret(findOwnCommand()));
  const keys = parseKeys(secret);
  if (!keys.ok) return keys;
  for (const key of keys.value) if (key.kind === 'secret' && key.algorithms.includes('HS256')) return ok(key);
  return fail(
    'jwt-secret contains no secret for HS256. Public keys can only verify tokens; get tokens from the issuer that has the private key.',
  );
}

function renderMissingSecret(command: string): string {
  return `Cannot sign a token, because jwt-secret is not set. Either
  - name the configuration that has it: ${command} token --role NAME rowhouse.conf
  - set it as the server has it, in the environment or in the file .env of a project: SVC_JWT_SECRET=…
  - in the folder of a project, start \`${command} dev\`: while it runs, its key signs
  - for \`${command} dev URI\`, pass the key from the link that it prints, after #key=: SVC_JWT_SECRET=KEY ${command} token --role NAME`;
}

/**
 * Adds the role to the claims at the path of `jwt-role-claim-key`. If the path has steps other than names, the claims must
 * already contain the role. An error is for the user.
 */
function placeRole(claims: JsonObject, role: string, pathText: string): Result<JsonObject, string> {
  const path = parseRolePath(pathText);
  if (!path.ok) return path;
  const names = listNames(path.value);
  const placed = names === undefined ? claims : setAt(claims, names, role);
  if (resolveRole(path.value, placed) === role) return ok(placed);
  return fail(
    `Cannot place the role, because jwt-role-claim-key is ${pathText}. Use --claim to add claims in which that path finds the role ${role}.`,
  );
}

/** Returns undefined if the path has steps other than names. */
function listNames(path: RolePath): readonly string[] | undefined {
  const names =
    path.kind === 'dsl'
      ? path.steps.map((step) => (step.kind === 'key' ? step.name : undefined))
      : path.path.segments.map(({ isDescendant, selectors: [first, ...others] }) =>
          first?.kind === 'name' && others.length === 0 && !isDescendant ? first.name : undefined,
        );
  const known = names.filter((name) => name !== undefined);
  return known.length === names.length ? known : undefined;
}

function setAt(object: JsonObject, [name, ...rest]: readonly string[], role: string): JsonObject {
  if (name === undefined) return object;
  if (rest.length === 0) return { ...object, [name]: role };
  const inner = object[name];
  return { ...object, [name]: setAt(isJsonObject(inner) ? inner : {}, rest, role) };
}

/**
 * Creates a JSON Web Token with HMAC-SHA256 (RFC 7515 §3.1).
 *
 * @param kid id of the key, if there are several
 */
export function signToken(
  claims: Readonly<Record<string, unknown>>,
  secret: string | Uint8Array,
  kid?: string,
): string {
  const content = `${encode({ alg: 'HS256', typ: 'JWT', kid })}.${encode(claims)}`;
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}

function encode(part: Readonly<Record<string, unknown>>): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

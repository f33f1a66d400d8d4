// Options for tokens (`operating.md` §1.5).
import { AUDIENCE, COOKIE_NAME, KEY_SET_URI } from './checked-option-types.ts';
import type { OptionGroup } from './option.ts';
import { BOOLEAN, integer, PATH, SECRET, STRING } from './option-types.ts';

export const AUTH_OPTIONS: OptionGroup<'jwt'> = {
  jwtAud: {
    name: 'jwt-aud',
    type: AUDIENCE,
    default: undefined,
    example: 'https://api.example.com',
    doc: 'Audience that the `aud` claim of a token must contain; a token without the claim is accepted. A value with a colon must be a valid URI',
    isInDatabase: true,
  },
  jwtCacheMaxEntries: {
    name: 'jwt-cache-max-entries',
    type: integer(0),
    default: 1000,
    doc: 'Maximum number of verified tokens in the cache; setting it enables the cache, 0 disables it',
    isSwitch: true,
    isInDatabase: true,
  },
  jwtCacheMaxLifetime: {
    name: 'jwt-cache-max-lifetime',
    type: integer(0),
    default: undefined,
    example: '3600',
    doc: 'Seconds to cache a verified token without expiry; setting it enables the cache, 0 disables it',
    isInDatabase: true,
  },
  jwtCookie: {
    name: 'jwt-cookie',
    type: COOKIE_NAME,
    default: undefined,
    example: 'session',
    doc: 'Cookie that contains the token of a request without `Authorization`. It counts only in requests of pages of the same origin, or of an origin in `server-cors-allowed-origins`. Needs the extension `cookie`',
    isInDatabase: true,
    isOwn: true,
  },
  jwtIssuer: {
    name: 'jwt-issuer',
    type: STRING,
    default: undefined,
    example: 'https://login.example.com/',
    doc: 'Issuer that the `iss` claim of every token must name exactly. If neither `jwt-secret` nor `jwt-jwks-uri` is set, its discovery document names the keys',
    isInDatabase: true,
    isOwn: true,
  },
  jwtJwksUri: {
    name: 'jwt-jwks-uri',
    type: KEY_SET_URI,
    default: undefined,
    example: 'https://login.example.com/.well-known/jwks.json',
    doc: 'URL of the key set of an identity provider; its keys verify tokens besides those of `jwt-secret`',
    isInDatabase: true,
    isOwn: true,
  },
  jwtRoleClaimKey: {
    name: 'jwt-role-claim-key',
    aliases: ['role-claim-key'],
    type: PATH,
    default: '$.role',
    doc: 'JSONPath of the database role in the claims of a token',
    isInDatabase: true,
  },
  jwtSecret: {
    name: 'jwt-secret',
    type: SECRET,
    default: undefined,
    example: 'a passphrase of at least 32 characters',
    doc: 'Passphrase, JSON Web Key or key set that verifies tokens, or @ and the name of a file that contains it',
    isInDatabase: true,
  },
  jwtSecretIsBase64: {
    name: 'jwt-secret-is-base64',
    aliases: ['secret-is-base64'],
    type: BOOLEAN,
    default: false,
    doc: 'Decodes the secret from base64 before use',
    isInDatabase: true,
  },
};

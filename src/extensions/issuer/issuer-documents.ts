// Reads what an identity provider publishes: its key set, its discovery document, and how long to keep them
// (`beyond.md` §3.3).
import { fail, ok, type Result } from '../../contract/result.ts';
import { isJsonObject, parseJsonObject } from '../../util/json-object.ts';
import { isSecureUri } from '../../util/secure-uri.ts';
import { type PublicKeyDescription, readJwk } from '../../auth/jwk.ts';

/** A provider publishes a few keys, some of them for each of its tenants. Each key costs work in every load. */
const MAX_KEYS = 100;

/**
 * Returns the keys of a JWK Set that can verify signatures. Omits the others, and symmetric keys: what is published
 * cannot be secret. The error completes a sentence that begins with the key set.
 */
export function parseIssuerKeys(text: string): Result<readonly PublicKeyDescription[], string> {
  const set = parseJsonObject(text)?.['keys'];
  if (!Array.isArray(set)) return fail('is not a JSON Web Key Set');
  if (set.length > MAX_KEYS) return fail(`contains ${set.length} keys, more than ${MAX_KEYS}`);
  const keys = set.flatMap((jwk: unknown): readonly PublicKeyDescription[] => {
    const key = isJsonObject(jwk) ? readJwk(jwk) : fail('is not a JSON object');
    return key.ok && key.value !== 'unsupported' && key.value.kind === 'public' ? [key.value] : [];
  });
  return keys.length === 0 ? fail('contains no key that can verify signatures') : ok(keys);
}

/** Characters of a value in an error. */
const MAX_SHOWN = 200;

/**
 * Returns `jwks_uri` of an OpenID Connect discovery document. The error completes a sentence that begins with the
 * document.
 */
export function parseDiscovery(text: string, issuer: string): Result<string, string> {
  const document = parseJsonObject(text);
  if (document === undefined) return fail('is not a JSON object');
  // https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfigurationValidation
  const named = JSON.stringify(document['issuer'])?.slice(0, MAX_SHOWN);
  if (document['issuer'] !== issuer) return fail(`belongs to another issuer: ${named}`);
  const uri = document['jwks_uri'];
  // A provider elsewhere must not make the server send requests to its own machine.
  const isAllowed = typeof uri === 'string' && isSecureUri(uri) && (/^https:/iu.test(uri) || !/^https:/iu.test(issuer));
  return isAllowed ? ok(uri) : fail('has no jwks_uri with https');
}

/** Returns the URL of the discovery document of an issuer; undefined for an issuer that is not a URL to fetch. */
export function discoveryUri(issuer: string): string | undefined {
  return isSecureUri(issuer) ? `${issuer.replace(/\/$/u, '')}/.well-known/openid-configuration` : undefined;
}

const [SHORTEST, LONGEST] = [60, 86_400];
const WITHOUT_STATEMENT = 3600;

/** Returns the seconds to keep a response with this `Cache-Control`: from a minute to a day. */
export function keepingTime(cacheControl = ''): number {
  const directives = cacheControl.toLowerCase();
  if (/\bno-(?:store|cache)\b/u.test(directives)) return SHORTEST;
  const [, seconds] = /\bmax-age\s*=\s*"?(\d{1,10})/u.exec(directives) ?? [];
  return seconds === undefined ? WITHOUT_STATEMENT : Math.min(Math.max(Number(seconds), SHORTEST), LONGEST);
}

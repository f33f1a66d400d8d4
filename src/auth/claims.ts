// Checks whether the claims of a verified token are valid now (`operating.md` §3.4), and renders the setting
// `request.jwt.claims` (§4.3).
import type { ApiError } from '../errors/api-error.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { type JsonObject, memberName, splitMembers } from '../util/json-object.ts';
import type { VerifiedToken } from './verify-jwt.ts';

/** Tolerated clock difference in seconds; both bounds are inclusive. */
export const CLOCK_SKEW = 30;

export interface ClaimsExpectation {
  /** Whole seconds since the epoch. */
  readonly now: number;
  /** `jwt-aud`; any audience if undefined. */
  readonly audience: string | undefined;
  /** `jwt-issuer`; any issuer, or none, if undefined. */
  readonly issuer: string | undefined;
}

const TIME_CLAIMS = [
  { name: 'exp', message: 'JWT expired', fails: (time: number, now: number) => time < now - CLOCK_SKEW },
  { name: 'nbf', message: 'JWT not yet valid', fails: (time: number, now: number) => time > now + CLOCK_SKEW },
  { name: 'iat', message: 'JWT issued at future', fails: (time: number, now: number) => time > now + CLOCK_SKEW },
] as const;

/**
 * Checks `exp`, `nbf`, `iat`, `aud` and `iss` in this order and returns the first failure. Absent and null claims pass,
 * except `iss`, which is only checked if an issuer is expected (`beyond.md` §3.3).
 */
export function validateClaims(claims: JsonObject, expected: ClaimsExpectation): Result<void, ApiError> {
  for (const { name, message, fails } of TIME_CLAIMS) {
    const time = claims[name] ?? undefined;
    if (time === undefined) continue;
    if (typeof time !== 'number') return claimsInvalid(`The JWT '${name}' claim must be a number`);
    if (fails(Math.floor(time), expected.now)) return claimsInvalid(message);
  }
  const audience = validateAudience(claims['aud'] ?? [], expected.audience);
  if (!audience.ok || expected.issuer === undefined || claims['iss'] === expected.issuer) return audience;
  return claimsInvalid('JWT not from the expected issuer');
}

function validateAudience(claim: unknown, expected: string | undefined): Result<void, ApiError> {
  const audiences: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  if (audiences.some((audience) => typeof audience !== 'string')) {
    return claimsInvalid("The JWT 'aud' claim must be a string or an array of strings");
  }
  if (expected === undefined || audiences.length === 0 || audiences.includes(expected)) return ok(undefined);
  return claimsInvalid('JWT not in audience');
}

/**
 * Renders all claims as a JSON object with the effective role as `role`, which replaces a claim of that name. The other
 * members are copied as text, because parsing them would change large numbers and drop repeated names.
 */
export function renderClaims(token: VerifiedToken, role: string): string {
  if (token.claims['role'] === role) return token.text;
  return `{${[...otherMembers(token), `"role":${JSON.stringify(role)}`].join(',')}}`;
}

function otherMembers({ claims, text }: VerifiedToken): readonly string[] {
  if (Object.hasOwn(claims, 'role')) return splitMembers(text).filter((member) => memberName(member) !== 'role');
  const members = text.slice(text.indexOf('{') + 1, text.lastIndexOf('}')).trim();
  return members === '' ? [] : [members];
}

function claimsInvalid(message: string): Result<void, ApiError> {
  return fail({ kind: 'claimsInvalid', message });
}

// Decodes a pasted token without verifying it, which is up to the server.
import { isJsonObject } from '../../../src/util/json-object.ts';

export type Claims = Readonly<Record<string, unknown>>;

export type DecodedToken =
  | { readonly kind: 'token'; readonly token: string; readonly header: Claims; readonly claims: Claims }
  | { readonly kind: 'wrong'; readonly message: string };

/** Strips `Bearer`, quotes and whitespace, which people copy along. */
export function decodeToken(text: string): DecodedToken {
  const token = text
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replace(/^(?:Authorization: ?)?Bearer /iu, '')
    .replaceAll(/["' ]/gu, '');
  if (token === '') return wrong('Paste a token here.');
  const parts = token.split('.');
  if (parts.length === 5)
    return wrong('This token is encrypted (JWE). The server accepts only signed tokens, which have three parts.');
  if (parts.length !== 3) return wrong(`A token has three parts separated by dots, but this one has ${parts.length}.`);
  const header = decodePart(parts[0] ?? '');
  if (header === undefined) return wrong('The first part, the header, is invalid. Was the token copied completely?');
  const claims = decodePart(parts[1] ?? '');
  if (claims === undefined) return wrong('The middle part, the claims, is invalid. Was the token copied completely?');
  if (!/^[\w-]+$/u.test(parts[2] ?? ''))
    return wrong('The last part, the signature, is missing. Was the token copied completely?');
  return { kind: 'token', token, header, claims };
}

export type Validity =
  | { readonly kind: 'unlimited' }
  | { readonly kind: 'early' | 'valid' | 'expired'; readonly seconds: number };

/** Evaluates `exp` and `nbf`. `seconds` counts until the token becomes valid, until it expires or since it expired. */
export function validityOf(claims: Claims, nowSeconds: number): Validity {
  const { exp, nbf } = claims;
  if (typeof nbf === 'number' && nbf > nowSeconds) return { kind: 'early', seconds: nbf - nowSeconds };
  if (typeof exp !== 'number') return { kind: 'unlimited' };
  return exp > nowSeconds
    ? { kind: 'valid', seconds: exp - nowSeconds }
    : { kind: 'expired', seconds: nowSeconds - exp };
}

/** Formats the two largest units: `2 h 5 min`. */
export function describeDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const units = [
    ['d', Math.floor(whole / 86_400)],
    ['h', Math.floor(whole / 3600) % 24],
    ['min', Math.floor(whole / 60) % 60],
    ['s', whole % 60],
  ] as const;
  const first = units.findIndex(([, count]) => count > 0);
  if (first < 0) return '0 s';
  return units
    .slice(first, first + 2)
    .filter(([, count]) => count > 0)
    .map(([unit, count]) => `${count} ${unit}`)
    .join(' ');
}

function wrong(message: string): DecodedToken {
  return { kind: 'wrong', message };
}

function decodePart(part: string): Claims | undefined {
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

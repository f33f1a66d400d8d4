// Signs the demo's ready-made token, and those of `rowhouse token`. The server itself never signs, it only verifies.
import { createHmac } from 'node:crypto';

/** A JSON Web Token with HMAC-SHA256, RFC 7515 §3.1. @param kid which of several keys the secret is */
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

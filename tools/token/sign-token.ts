// Signs the demo's token and those of `rowhouse token`. The server itself only verifies tokens.
import { createHmac } from 'node:crypto';

/** Creates a JSON Web Token with HMAC-SHA256 (RFC 7515 §3.1). @param kid id of the key, if there are several */
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

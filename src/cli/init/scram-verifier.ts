// A password → what PostgreSQL keeps of it (RFC 5803), so that the password itself stands in no log of statements.
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';

/** PostgreSQL's own default. */
const ITERATIONS = 4096;
const KEY_BYTES = 32;
const ASCII = /^[\u0020-\u007E]+$/u;

/** @returns the password itself where it would have to be normalized first (RFC 4013): PostgreSQL then does both */
export function makeScramVerifier(password: string, salt: Uint8Array): string {
  if (!ASCII.test(password)) return password;
  const salted = pbkdf2Sync(password, salt, ITERATIONS, KEY_BYTES, 'sha256');
  const storedKey = createHash('sha256').update(sign(salted, 'Client Key')).digest('base64');
  const serverKey = sign(salted, 'Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${Buffer.from(salt).toString('base64')}$${storedKey}:${serverKey}`;
}

function sign(key: Uint8Array, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

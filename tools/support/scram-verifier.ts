// Computes the SCRAM verifier that PostgreSQL stores (RFC 5803), so that statement logs never contain the password.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const SALT_BYTES = 16;
/** Default of PostgreSQL. */
const ITERATIONS = 4096;
const KEY_BYTES = 32;
const ASCII = /^[\u0020-\u007E]+$/u;

/** @returns the password itself if it needs normalization (RFC 4013), which PostgreSQL then does before it hashes it */
export function makeScramVerifier(password: string, salt: Uint8Array = randomBytes(SALT_BYTES)): string {
  if (!ASCII.test(password)) return password;
  const salted = pbkdf2Sync(password, salt, ITERATIONS, KEY_BYTES, 'sha256');
  const storedKey = createHash('sha256').update(sign(salted, 'Client Key')).digest('base64');
  const serverKey = sign(salted, 'Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${Buffer.from(salt).toString('base64')}$${storedKey}:${serverKey}`;
}

function sign(key: Uint8Array, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

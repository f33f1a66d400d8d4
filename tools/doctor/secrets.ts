// Checks the secret that signs tokens and the permissions of files that contain secrets.
import { parseKeys } from '../../src/auth/keys.ts';
import { estimateBits } from './estimate-bits.ts';
import type { Finding } from './checks/finding.ts';

export interface SecretFile {
  readonly path: string;
  /** Permission bits. */
  readonly mode: number;
}

const ENOUGH_BITS = 80;
const GROUP_READS = 0o040;
const OTHERS_READ = 0o004;

export function checkSecret(secret: Uint8Array | undefined): readonly Finding[] {
  const keys = secret === undefined ? undefined : parseKeys(secret);
  if (!keys?.ok) return [];
  const isWeak = keys.value.some((key) => key.kind === 'secret' && estimateBits(readBytes(key.bytes)) < ENOUGH_BITS);
  if (!isWeak) return [];
  return [
    {
      severity: 'error',
      code: 'weak-secret',
      object: 'jwt-secret',
      why: 'Anyone with a token can try words and sequences until they find the secret, and then sign any token.',
      mend: 'openssl rand -base64 32',
    },
  ];
}

/** Returns one character per byte. */
function readBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

export function checkFiles(files: readonly SecretFile[]): readonly Finding[] {
  return files
    .filter(({ mode }) => (mode & (GROUP_READS | OTHERS_READ)) !== 0)
    .map(({ path, mode }) => ({
      severity: (mode & OTHERS_READ) === 0 ? 'warning' : 'error',
      code: 'readable-secret',
      object: path,
      why: `The file contains a secret, and ${(mode & OTHERS_READ) === 0 ? 'its group' : 'every user of the machine'} can read it.`,
      mend: `chmod 600 '${path.replaceAll("'", String.raw`'\''`)}'`,
    }));
}

// Documents of key servers, up to the size that is read (256 KiB).
import { generateKeyPairSync } from 'node:crypto';
import { publicJwk } from '../../auth/sign-token.ts';
import { fill, nest } from './shapes.ts';

const ROOM = 262_144;

export const KEY_DOCUMENTS: readonly { readonly name: string; readonly document: () => string }[] = [
  { name: 'a hundred keys', document: () => keySet(100) },
  { name: 'more keys than are allowed', document: () => keySet(1000) },
  { name: 'empty keys', document: () => fill('{},', '{"keys":[', '{}]}')(ROOM) },
  { name: 'one long key', document: () => fill('A', '{"keys":[{"kty":"RSA","e":"AQAB","n":"', '"}]}')(ROOM) },
  { name: 'deep arrays', document: () => `{"keys":${nest('[', '', ']')(ROOM - 20)}}` },
  { name: 'no end', document: () => fill('{},', '{"keys":[')(ROOM) },
  { name: 'too many bytes', document: () => fill(' ')(16 * ROOM) },
];

function keySet(count: number): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-521' });
  const jwk = publicJwk(privateKey);
  return JSON.stringify({ keys: Array.from({ length: count }, (_, kid) => ({ ...jwk, kid: String(kid) })) });
}

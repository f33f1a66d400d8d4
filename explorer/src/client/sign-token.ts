// Signs tokens in the browser with a symmetric key, to see the API as another role does. The key does not leave the page.
/** Seconds. */
const LIFETIME = 3600;

/** Signs with HS256. The token expires in an hour unless `claims` contains `exp`. */
export async function signToken(
  claims: Readonly<Record<string, unknown>>,
  key: string,
  nowSeconds: number,
): Promise<string> {
  const header = encode(JSON.stringify({ alg: 'HS256', typ: 'JWT' }));
  const signed = `${header}.${encode(JSON.stringify({ exp: Math.floor(nowSeconds) + LIFETIME, ...claims }))}`;
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const secret = await crypto.subtle.importKey('raw', new TextEncoder().encode(key), hmac, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', secret, new TextEncoder().encode(signed));
  return `${signed}.${encodeBytes(new Uint8Array(signature))}`;
}

function encode(text: string): string {
  return encodeBytes(new TextEncoder().encode(text));
}

function encodeBytes(bytes: Uint8Array): string {
  const text = btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

// Replaces and escapes ASCII characters of texts, also of those with millions of such characters, for which the methods of
// strings take seconds.

/** Characters from which on bytes are faster. */
const LONG = 4096;
const BACKSLASH = 0x5c;
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** @param from one ASCII character @param to one ASCII character. The text must not contain lone surrogates. */
export function replaceAscii(text: string, from: string, to: string): string {
  if (text.length < LONG) return text.replaceAll(from, to);
  const bytes = ENCODER.encode(text);
  const replaced = from.charCodeAt(0);
  const replacement = to.charCodeAt(0);
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === replaced) bytes[at] = replacement;
  return DECODER.decode(bytes);
}

/** Puts a backslash before each of some ASCII characters. The text must not contain lone surrogates. */
export function escapeAscii(text: string, characters: RegExp): string {
  if (text.length < LONG) return text.replaceAll(characters, String.raw`\$&`);
  const isEscaped = Uint8Array.from({ length: 128 }, (_, code) =>
    String.fromCharCode(code).search(characters) < 0 ? 0 : 1,
  );
  const bytes = ENCODER.encode(text);
  const escaped = new Uint8Array(2 * bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (isEscaped[byte] === 1) escaped[length++] = BACKSLASH;
    escaped[length++] = byte;
  }
  return DECODER.decode(escaped.subarray(0, length));
}

// Percent-encodes text for URLs, but keeps all characters readable that need no encoding.

/** Control characters, invisible characters and whitespace. Each pattern adds characters that are special in a URL. */
const HIDDEN = String.raw`\p{C}\p{Z}`;
const IN_SEGMENT = new RegExp(String.raw`[${HIDDEN}%#?/\\]`, 'gu');
const IN_NAME = new RegExp(String.raw`[${HIDDEN}%#&+=]`, 'gu');
const IN_VALUE = new RegExp(String.raw`[${HIDDEN}%#&+]`, 'gu');

/** Encodes a path segment. */
export function encodeSegment(text: string): string {
  return encode(text, IN_SEGMENT);
}

/** Encodes the name of a parameter. */
export function encodeName(text: string): string {
  return encode(text, IN_NAME);
}

/** Encodes the value of a parameter. */
export function encodeValue(text: string): string {
  return encode(text, IN_VALUE);
}

const LONE_SURROGATES = /\p{Surrogate}/gu;

function encode(text: string, characters: RegExp): string {
  return text.replaceAll(LONE_SURROGATES, '\uFFFD').replaceAll(characters, (one) => encodeURIComponent(one));
}

/** Keeps invalid escapes and escapes that are not UTF-8. */
export function decodeSegment(text: string): string {
  return text.replaceAll(ESCAPES, decodeOrKeep);
}

const ESCAPES = /(?:%[\da-f]{2})+/giu;
/** Characters that browsers escape in fragments without need. */
const READABLE = new RegExp(String.raw`^[^${HIDDEN}\0-\x7f]$|^["<>\x60^|{}']$`, 'u');

/** Decodes escapes that browsers add without need. */
export function resolveNeedlessEscapes(address: string): string {
  return address.replaceAll(ESCAPES, (escapes) => {
    const decoded = decodeOrKeep(escapes);
    if (decoded === escapes) return escapes;
    return Array.from(decoded, (one) => (READABLE.test(one) ? one : encodeURIComponentFully(one))).join('');
  });
}

/** Also encodes characters that `encodeURIComponent` keeps, because they were escaped before. */
function encodeURIComponentFully(character: string): string {
  const encoded = encodeURIComponent(character);
  if (encoded !== character) return encoded;
  return `%${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function decodeOrKeep(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}

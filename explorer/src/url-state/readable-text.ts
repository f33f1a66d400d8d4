// Text as it stands in an address: what must be is percent-encoded, everything else can be read.

/** Controls, invisible characters and blanks but for letters and symbols; and what has a meaning of its own in a URL. */
const HIDDEN = String.raw`\p{C}\p{Z}`;
const IN_SEGMENT = new RegExp(String.raw`[${HIDDEN}%#?/\\]`, 'gu');
const IN_NAME = new RegExp(String.raw`[${HIDDEN}%#&+=]`, 'gu');
const IN_VALUE = new RegExp(String.raw`[${HIDDEN}%#&+]`, 'gu');

/** A piece of a path, between slashes. */
export function encodeSegment(text: string): string {
  return encode(text, IN_SEGMENT);
}

/** The name of a parameter. */
export function encodeName(text: string): string {
  return encode(text, IN_NAME);
}

/** The value of a parameter. */
export function encodeValue(text: string): string {
  return encode(text, IN_VALUE);
}

const LONE_SURROGATES = /\p{Surrogate}/gu;

function encode(text: string, characters: RegExp): string {
  return text.replaceAll(LONE_SURROGATES, '\uFFFD').replaceAll(characters, (one) => encodeURIComponent(one));
}

/** Escapes that are none, or no UTF-8, stand for themselves. */
export function decodeSegment(text: string): string {
  return text.replaceAll(ESCAPES, decodeOrKeep);
}

const ESCAPES = /(?:%[\da-f]{2})+/giu;
/** What browsers escape behind `#` although it need not be. */
const READABLE = new RegExp(String.raw`^[^${HIDDEN}\0-\x7f]$|^["<>\x60^|{}']$`, 'u');

/** The same address with those escapes resolved that only hide letters: browsers add them. */
export function resolveNeedlessEscapes(address: string): string {
  return address.replaceAll(ESCAPES, (escapes) => {
    const decoded = decodeOrKeep(escapes);
    if (decoded === escapes) return escapes;
    return Array.from(decoded, (one) => (READABLE.test(one) ? one : encodeURIComponentFully(one))).join('');
  });
}

/** Also what `encodeURIComponent` lets stand: what was escaped stays so. */
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

// Replaces, escapes and unescapes ASCII characters of texts, also of those with millions of such characters, for which the
// methods of strings take seconds.

/** Characters from which on bytes are faster. */
const LONG = 1024;
/** Characters that are converted together: their bytes stay in the cache of the processor. */
const PIECE = 16_384;
const BACKSLASH = 0x5c;
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** ASCII characters: 1 at their codes, 0 at those of other bytes. */
export type AsciiSet = Uint8Array;

export function asciiSet(characters: string): AsciiSet {
  return Uint8Array.from({ length: 256 }, (_, code) => (characters.includes(String.fromCharCode(code)) ? 1 : 0));
}

/** @param from one ASCII character @param to one ASCII character. The text must not contain lone surrogates. */
export function replaceAscii(text: string, from: string, to: string): string {
  if (text.length < LONG) return text.replaceAll(from, to);
  const replaced = from.charCodeAt(0);
  const replacement = to.charCodeAt(0);
  return convertPieces(text, (bytes) => {
    for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === replaced) bytes[at] = replacement;
    return bytes;
  });
}

/** Puts a backslash before each of some ASCII characters. The text must not contain lone surrogates. */
export function escapeAscii(text: string, characters: AsciiSet): string {
  if (text.length < LONG) return escapeShort(text, characters);
  return convertPieces(text, (bytes) => escapeBytes(bytes, characters));
}

/** Does the same without decoding the result, which takes longer than all else if it is long. */
export function escapeAsBytes(text: string, characters: AsciiSet): readonly Uint8Array[] {
  const room = new Uint8Array(3 * Math.min(text.length, PIECE));
  const pieces: Uint8Array[] = [];
  for (const piece of cutText(text)) {
    const { written } = ENCODER.encodeInto(piece, room);
    pieces.push(escapeBytes(room.subarray(0, written), characters));
  }
  return pieces;
}

function escapeBytes(bytes: Uint8Array, characters: AsciiSet): Uint8Array {
  const escaped = new Uint8Array(2 * bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    // Overwritten unless the byte is escaped: there is nothing to predict for the processor.
    escaped[length] = BACKSLASH;
    length += characters[byte] ?? 0;
    escaped[length++] = byte;
  }
  return escaped.subarray(0, length);
}

function escapeShort(text: string, characters: AsciiSet): string {
  const codes: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (characters[code] === 1) codes.push(BACKSLASH);
    codes.push(code);
  }
  return String.fromCharCode(...codes);
}

/** Removes the backslash before each escaped character. The text must not contain lone surrogates. */
export function dropBackslashes(text: string): string {
  if (!text.includes('\\')) return text;
  if (text.length < LONG) return dropFromShort(text);
  // A piece may begin with the escaped character.
  let start = 0;
  return convertPieces(text, (bytes) => {
    let length = start;
    let at = start;
    for (; at < bytes.length; at += 1) {
      if (bytes[at] === BACKSLASH) at += 1;
      bytes[length++] = bytes[at] ?? 0;
    }
    start = at - bytes.length;
    return bytes.subarray(0, length - start);
  });
}

function dropFromShort(text: string): string {
  const codes: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) === BACKSLASH) at += 1;
    codes.push(text.charCodeAt(at));
  }
  return String.fromCharCode(...codes);
}

/** @param convert may change the bytes in place, and return them */
function convertPieces(text: string, convert: (bytes: Uint8Array) => Uint8Array): string {
  const room = new Uint8Array(3 * Math.min(text.length, PIECE));
  const parts: string[] = [];
  for (const piece of cutText(text)) {
    const { written } = ENCODER.encodeInto(piece, room);
    parts.push(DECODER.decode(convert(room.subarray(0, written))));
  }
  return parts.join('');
}

/** Cuts a text into pieces, but not within surrogate pairs. */
function* cutText(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const end = findCut(text, at + PIECE);
    yield text.slice(at, end);
    at = end;
  }
}

/** Returns a position near `end` that is not within a surrogate pair. */
function findCut(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

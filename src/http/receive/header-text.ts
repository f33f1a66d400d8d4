// Converts header texts: Node reads and writes their bytes as Latin-1, clients use UTF-8.

export function decodeHeaderText(text: string): string {
  return /[\x80-\xff]/u.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text;
}

/** What must be encoded; most texts contain nothing of it. */
export const NOT_ASCII: RegExp = /[^\x00-\x7f]/u;

export function encodeHeaderText(text: string): string {
  return NOT_ASCII.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

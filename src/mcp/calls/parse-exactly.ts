// Parses JSON without changing its numbers: those that JavaScript cannot represent become strings. An agent that reads
// the key 9007199254740993 must not write to the row 9007199254740992.

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gu;

export function parseExactly(text: string): unknown {
  return JSON.parse(text.replaceAll(STRING_OR_NUMBER, (token) => (isInexact(token) ? `"${token}"` : token)));
}

/** Longer numbers have more digits than JavaScript keeps. */
const MAX_LENGTH = 40;

/** Up to 15 digits are exact. */
function isInexact(token: string): boolean {
  if (token.length <= 15 || token.startsWith('"')) return false;
  if (token.length > MAX_LENGTH) return true;
  return normalize(String(Number(token))) !== normalize(token);
}

/** PostgreSQL prints trailing zeros, which carry no value. */
function normalize(number: string): string {
  return number.includes('.') && !/e/iu.test(number) ? number.replace(/\.?0+$/u, '') : number;
}

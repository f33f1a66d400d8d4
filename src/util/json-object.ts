// Parses JSON objects from bytes or text (`undefined` for anything else) and inspects their text without parsing it.
// Used for keys, token headers and claims.

export type JsonObject = Readonly<Record<string, unknown>>;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether valid JSON text nests arrays and objects more than `limit` levels deep. */
export function isNestedDeeperThan(limit: number, text: string): boolean {
  // Each level takes at least two characters, so short texts such as ordinary claims need no scan.
  if (text.length <= 2 * limit) return false;
  let depth = 0;
  for (let index = 0; index < text.length && depth <= limit; index += 1) {
    const character = text[index];
    if (character === '"') index = endOfString(text, index);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
  }
  return depth > limit;
}

/** Returns the text of each member of a valid JSON object, verbatim: `{"a":1, "b":[2]}` → `"a":1`, ` "b":[2]`. */
export function splitMembers(text: string): readonly string[] {
  const members: string[] = [];
  let depth = 0;
  let start = text.indexOf('{') + 1;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') index = endOfString(text, index);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if ((character === ',' && depth === 1) || (character === '}' && depth === 0)) {
      members.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return members.filter((member) => member.trim() !== '');
}

/** Returns the index of the closing quote. */
function endOfString(text: string, openingQuote: number): number {
  let index = openingQuote + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
}

/** @param member from `splitMembers` */
export function memberName(member: string): unknown {
  const name = /^\s*("[^"\\]*(?:\\.[^"\\]*)*")/u.exec(member)?.[1];
  return name === undefined ? undefined : JSON.parse(name);
}

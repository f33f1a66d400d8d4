// Finds the positions of the elements of a JSON array, so that rows are parsed only when shown: 100,000 rows cost one
// pass over the text and no objects.
import { parseJson, type JsonValue } from './json-value.ts';
import { NumberList } from './number-list.ts';

export interface JsonElements {
  readonly count: number;
  textAt(index: number): string;
  /** Returns null if the text is invalid JSON. */
  at(index: number): JsonValue;
}

/** Returns undefined if the text is not an array. */
export function findElements(text: string): JsonElements | undefined {
  const open = skipBlanks(text, 0);
  if (text[open] !== '[') return undefined;
  const commas = new NumberList();
  const close = findCommas(text, open + 1, commas);
  if (close === undefined || skipBlanks(text, close + 1) < text.length) return undefined;
  const count = skipBlanks(text, open + 1) === close ? 0 : commas.length + 1;
  const textAt = (index: number): string => {
    const start = index === 0 ? open : commas.at(index - 1);
    return text.slice(start + 1, index < commas.length ? commas.at(index) : close);
  };
  return { count, textAt, at: (index) => parseJson(textAt(index)) ?? { kind: 'null' } };
}

const [QUOTE, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d];

/** @returns the offset of the end of the array */
function findCommas(text: string, from: number, commas: NumberList): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = findStringEnd(text, at);
    else if (code === COMMA && depth === 0) commas.push(at);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth += 1;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return undefined;
}

/** Returns the offset of the closing quote of the string at `start`; the end of the text if there is none. */
export function findStringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}

export function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return at;
}

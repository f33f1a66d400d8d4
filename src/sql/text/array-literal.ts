// Renders PostgreSQL array literals of text elements, each quoted so that it is taken literally.
import type { ParameterValue } from '../../contract/transaction.ts';
import { asciiSet, escapeAsBytes, escapeAscii } from '../../util/ascii-text.ts';

const ESCAPED = asciiSet('"\\');

export function renderArrayLiteral(elements: readonly string[]): string {
  return elements.length === 0 ? '{}' : `{"${elements.map(escapeElement).join('","')}"}`;
}

function escapeElement(element: string): string {
  return isPlain(element) ? element : escapeAscii(element, ESCAPED);
}

function isPlain(element: string): boolean {
  return !element.includes('"') && !element.includes('\\');
}

/** Characters of an element from which on it is rendered as bytes. */
const LONG = 65_536;

/** Renders the literal as a parameter, which may contain very long elements. */
export function renderArrayParameter(elements: readonly string[]): ParameterValue {
  if (elements.every((element) => element.length < LONG || isPlain(element))) return renderArrayLiteral(elements);
  const pieces: Uint8Array[] = [];
  for (const [index, element] of elements.entries())
    pieces.push(index === 0 ? START : BETWEEN, ...escapeAsBytes(element, ESCAPED));
  pieces.push(END);
  return pieces;
}

const ENCODER = new TextEncoder();
const START = ENCODER.encode('{"');
const BETWEEN = ENCODER.encode('","');
const END = ENCODER.encode('"}');

/** Renders a PostgreSQL array literal of text elements, each quoted so that it is taken literally. */
import { asciiSet, escapeAscii } from '../../util/ascii-text.ts';

export function renderArrayLiteral(elements: readonly string[]): string {
  return elements.length === 0 ? '{}' : `{"${elements.map(escapeElement).join('","')}"}`;
}

function escapeElement(element: string): string {
  const isPlain = !element.includes('"') && !element.includes('\\');
  return isPlain ? element : escapeAscii(element, ESCAPED);
}

const ESCAPED = asciiSet('"\\');

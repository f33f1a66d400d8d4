/** Renders a PostgreSQL array literal of text elements, each quoted so that it is taken literally. */
export function renderArrayLiteral(elements: readonly string[]): string {
  let literal = '';
  for (const element of elements) literal += `${literal === '' ? '"' : ',"'}${escapeElement(element)}"`;
  return `{${literal}}`;
}

function escapeElement(element: string): string {
  const isPlain = !element.includes('"') && !element.includes('\\');
  return isPlain ? element : element.replaceAll(/["\\]/gu, String.raw`\$&`);
}

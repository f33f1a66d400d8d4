/** PostgreSQL's array literal of text elements, each quoted so that it stands for itself. */
export function renderArrayLiteral(elements: readonly string[]): string {
  return `{${elements.map((element) => `"${element.replaceAll(/["\\]/gu, String.raw`\$&`)}"`).join(',')}}`;
}

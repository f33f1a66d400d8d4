// Quotes text for the configuration file (`operating.md` §2.1 item 6) so that the file parser reads it back unchanged.

export function quoteConfigText(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('$', () => '$$');
  return `"${escaped}"`;
}

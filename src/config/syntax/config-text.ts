// How the configuration file quotes text (`operating.md` §2.1 item 6); the file parser reads exactly this back.

export function quoteConfigText(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('$', () => '$$');
  return `"${escaped}"`;
}

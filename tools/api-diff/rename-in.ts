// Renames columns in what PostgreSQL prints.

/** Replaces the names of columns in an expression printed by PostgreSQL. */
export function renameIn(text: string, newNames: ReadonlyMap<string, string>): string {
  return [...newNames].reduce((result, [before, after]) => {
    const name = before.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`);
    return result.replaceAll(new RegExp(String.raw`(?<![\w$])${name}(?![\w$])`, 'gu'), () => after);
  }, text);
}

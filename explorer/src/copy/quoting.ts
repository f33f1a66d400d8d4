// A text → how it is written in a shell and in programs, whatever it holds.

export function quoteShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export function quoteJavaScript(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1);
  return `'${inner.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`;
}

/** Python reads JSON's escapes as they are meant. */
export function quotePython(text: string): string {
  return JSON.stringify(text);
}

/** A name on the left of a colon: `Authorization`, `'Accept-Profile'`. */
export function renderKey(name: string): string {
  return /^[A-Za-z_]\w*$/u.test(name) && name !== '__proto__' ? name : quoteJavaScript(name);
}

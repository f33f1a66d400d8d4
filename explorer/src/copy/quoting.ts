// Quotes arbitrary text for shells and programming languages.

export function quoteShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export function quoteJavaScript(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1);
  return `'${inner.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`;
}

/** JSON escapes are valid in Python. */
export function quotePython(text: string): string {
  return JSON.stringify(text);
}

/** Renders a property name of an object literal: `Authorization`, `'Accept-Profile'`. */
export function renderKey(name: string): string {
  return /^[A-Za-z_]\w*$/u.test(name) && name !== '__proto__' ? name : quoteJavaScript(name);
}

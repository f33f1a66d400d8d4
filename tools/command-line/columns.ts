// Formats names with descriptions in two columns, for an 80-column terminal.

const WIDTH = 80;
const INDENT = 2;
const TEXT_COLUMN = 26;

export type Row = readonly [name: string, text: string];

/** Puts each text beside its name, or below the name if that is too long. */
export function renderRows(rows: readonly Row[]): string {
  return rows.map(([name, text]) => `${renderRow(name, wrapWords(text, WIDTH - TEXT_COLUMN))}\n`).join('');
}

/** Wraps a paragraph to the full width. */
export function renderParagraph(text: string): string {
  return `${wrapWords(text, WIDTH).join('\n')}\n`;
}

function renderRow(name: string, lines: readonly string[]): string {
  const left = `${' '.repeat(INDENT)}${name}`;
  const margin = ' '.repeat(TEXT_COLUMN);
  const [first, ...rest] = lines.map((line) => margin + line);
  const fits = left.length <= TEXT_COLUMN - 2;
  return [...(fits ? [left.padEnd(TEXT_COLUMN) + (lines[0] ?? '')] : [left, first ?? '']), ...rest].join('\n');
}

/** Does not break words longer than the width. */
function wrapWords(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

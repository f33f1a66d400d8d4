// Rows of a name and a text → lines that fit a terminal of 80 columns.

const WIDTH = 80;
const INDENT = 2;
const TEXT_COLUMN = 26;

export type Row = readonly [name: string, text: string];

/** The text stands beside its name, or below one that is too long. */
export function renderRows(rows: readonly Row[]): string {
  return rows.map(([name, text]) => `${renderRow(name, wrapWords(text, WIDTH - TEXT_COLUMN))}\n`).join('');
}

/** A paragraph of full width. */
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

/** Words longer than the width keep their length. */
function wrapWords(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

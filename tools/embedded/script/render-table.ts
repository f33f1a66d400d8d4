// Renders the rows of a query as a plain-text table, truncated to fit a terminal.
import { escapeLine } from '../../../src/observe/escape-text.ts';

export interface RowSet {
  readonly columns: readonly string[];
  /** Values in text format. */
  readonly rows: readonly (readonly (string | null)[])[];
}

const MAX_ROWS = 100;
const MAX_CELL_WIDTH = 60;

export function renderTable({ columns, rows }: RowSet): string {
  const shown = rows.slice(0, MAX_ROWS).map((row) => row.map((value) => renderCell(value ?? 'null')));
  const header = columns.map(renderCell);
  const widths = header.map((title, index) => Math.max(title.length, ...shown.map((row) => row[index]?.length ?? 0)));
  const renderLine = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => ` ${cell.padEnd(widths[index] ?? 0)} `)
      .join('|')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width + 2)).join('+');
  return [renderLine(header), rule, ...shown.map(renderLine), renderCount(rows.length), ''].join('\n');
}

function renderCell(text: string): string {
  const line = escapeLine(text.replaceAll(/\s+/gu, ' '));
  return line.length > MAX_CELL_WIDTH ? `${line.slice(0, MAX_CELL_WIDTH - 1)}…` : line;
}

function renderCount(count: number): string {
  if (count > MAX_ROWS) return `(the first ${MAX_ROWS} of ${count} rows)`;
  return count === 1 ? '(1 row)' : `(${count} rows)`;
}

// Renders the effect of each event on the clients as a table, prints it, and writes it next to the logs of the
// programs.
import { writeFileSync } from 'node:fs';
import type { Tally } from './notes.ts';

export interface Row {
  readonly event: string;
  readonly tally: Tally;
  /** Milliseconds from the event until the replacement was up: a new primary, another worker. */
  readonly replacedAfter?: number;
  /** Milliseconds from then to the next successful write. */
  readonly writesAfter?: number;
}

const HEAD = [
  'Event',
  'Writes',
  'Reads',
  'with a position',
  'Errors',
  'Lost',
  'Doubled',
  'Too old',
  'Longest without a write',
  'Replaced after',
  'Writes after that',
];

export function renderTable(rows: readonly Row[]): string {
  const lines = [HEAD, HEAD.map(() => '---'), ...rows.map((row) => renderRow(row))];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

export function report(rows: readonly Row[], file: string): void {
  const table = renderTable(rows);
  writeFileSync(file, table);
  console.log(table);
}

function renderRow({ event, tally, replacedAfter, writesAfter }: Row): readonly string[] {
  const errors = Object.entries(tally.errors).map(([name, count]) => `${count} × ${name}`);
  return [
    event,
    String(tally.writes),
    String(tally.reads + tally.positionedReads),
    String(tally.positionedReads),
    errors.sort().join(', ') || 'none',
    String(tally.lost.length),
    String(tally.doubled.length),
    String(tally.stale.length),
    renderSeconds(tally.longestWithoutWrite),
    renderSeconds(replacedAfter),
    renderSeconds(writesAfter),
  ];
}

function renderSeconds(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '' : `${(milliseconds / 1000).toFixed(2)} s`;
}

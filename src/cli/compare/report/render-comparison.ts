// Renders the result of a comparison as text or JSON.
import type { Example, Group } from './group-differences.ts';

export interface Comparison {
  readonly compared: number;
  readonly same: number;
  /** Reasons with the number of requests that were not sent. */
  readonly skipped: readonly (readonly [reason: string, count: number])[];
  readonly groups: readonly Group[];
}

const SHOWN_EXAMPLES = 3;
const MAX_LENGTH = 160;

export function renderComparison({ compared, same, skipped, groups }: Comparison): string {
  const unexplained = groups.filter(({ departure }) => departure === undefined);
  const explained = groups.filter(({ departure }) => departure !== undefined);
  const counts = `${count(compared, 'request')} compared: ${same} same, ${compared - same} different`;
  const skips = skipped.filter(([, number]) => number > 0).map(([reason, number]) => `${number} skipped: ${reason}\n`);
  const sections = [
    ...unexplained.map(renderGroup),
    ...(explained.length === 0 ? [] : ['Known departures (docs/migration.md)\n', ...explained.map(renderGroup)]),
  ];
  return [`${counts}\n${skips.join('')}`, ...sections].join('\n');
}

export function renderComparisonAsJson({ compared, same, skipped, groups }: Comparison): string {
  const rendered = groups.map(({ cause, departure, count: differences, examples }) => ({
    cause,
    departure: departure === undefined ? null : { id: departure.id, doc: departure.doc },
    count: differences,
    examples: examples.map((example) => ({ ...example, old: example.old ?? null, new: example.new ?? null })),
  }));
  const reasons = skipped.map(([reason, number]) => ({ reason, count: number }));
  return `${JSON.stringify({ compared, same, skipped: reasons, groups: rendered }, undefined, 2)}\n`;
}

function renderGroup({ cause, departure, count: differences, examples }: Group): string {
  const shown = examples.slice(0, SHOWN_EXAMPLES).map(renderExample).join('');
  const hidden = differences - Math.min(examples.length, SHOWN_EXAMPLES);
  const more = hidden > 0 ? `  and ${hidden} more\n` : '';
  return `${departure?.doc ?? cause} (${differences})\n${shown}${more}`;
}

function renderExample({ method, target, old, new: other }: Example): string {
  return `  ${method} ${shorten(target)}\n    old: ${shorten(old)}\n    new: ${shorten(other)}\n`;
}

function shorten(text: string | undefined): string {
  if (text === undefined) return '(none)';
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}

function count(number: number, noun: string): string {
  return `${number} ${number === 1 ? noun : `${noun}s`}`;
}

// Renders the result of a comparison as text or JSON.
import { escapeLine } from '../../../src/observe/escape-text.ts';
import type { Example, Group } from './group-differences.ts';

export interface Comparison {
  /** Where the requests come from. */
  readonly source: string;
  readonly compared: number;
  readonly same: number;
  /** Reasons with the number of requests that were not sent. */
  readonly skipped: readonly (readonly [reason: string, count: number])[];
  readonly groups: readonly Group[];
}

const SHOWN_REQUESTS = 3;
/** Differences shown of one request. */
const SHOWN_VALUES = 2;
const MAX_LENGTH = 120;

export function renderComparison({ source, compared, same, skipped, groups }: Comparison): string {
  const unexplained = groups.filter(({ departure }) => departure === undefined);
  const explained = groups.filter(({ departure }) => departure !== undefined);
  const counts = `${count(compared, 'request')} compared: ${same} same, ${compared - same} different`;
  const skips = skipped.filter(([, number]) => number > 0).map(([reason, number]) => `${number} skipped: ${reason}\n`);
  const sections = [
    ...unexplained.map(renderGroup),
    ...(explained.length === 0 ? [] : ['Known departures (docs/migration.md)\n', ...explained.map(renderGroup)]),
  ];
  return [`${counts}\nThe requests come from ${source}\n${skips.join('')}`, ...sections].join('\n');
}

export function renderComparisonAsJson({ source, compared, same, skipped, groups }: Comparison): string {
  const rendered = groups.map(({ cause, departure, count: differences, examples }) => ({
    cause,
    departure: departure === undefined ? null : { id: departure.id, doc: departure.doc },
    count: differences,
    examples: examples.map((example) => ({ ...example, old: example.old ?? null, new: example.new ?? null })),
  }));
  const reasons = skipped.map(([reason, number]) => ({ reason, count: number }));
  return `${JSON.stringify({ source, compared, same, skipped: reasons, groups: rendered }, undefined, 2)}\n`;
}

function renderGroup({ cause, departure, count: differences, examples }: Group): string {
  const shown = groupByRequest(examples).slice(0, SHOWN_REQUESTS);
  const hidden = differences - shown.reduce((sum, { values }) => sum + countDifferences(values), 0);
  const more = hidden > 0 ? `  and ${hidden} more\n` : '';
  return `${departure?.doc ?? escapeLine(cause)} (${differences})\n${shown.map(renderRequest).join('')}${more}`;
}

/** The differences of one request, which may have been sent several times with other headers. */
interface ShownRequest {
  readonly line: string;
  /** Texts of differences, each with the number of times that it occurs. */
  readonly values: readonly (readonly [text: string, times: number])[];
}

function groupByRequest(examples: readonly Example[]): readonly ShownRequest[] {
  const byLine = new Map<string, Map<string, number>>();
  for (const example of examples) {
    const line = `${example.method} ${shorten(example.target)}`;
    const values = byLine.get(line) ?? new Map<string, number>();
    const text = renderValues(example);
    byLine.set(line, values.set(text, (values.get(text) ?? 0) + 1));
  }
  return [...byLine].map(([line, values]) => ({ line, values: [...values].slice(0, SHOWN_VALUES) }));
}

function countDifferences(values: ShownRequest['values']): number {
  return values.reduce((sum, [, times]) => sum + times, 0);
}

function renderRequest({ line, values }: ShownRequest): string {
  const times = countDifferences(values);
  const note = values.length === 1 && times > 1 ? ` (${times} times)` : '';
  return `  ${line}${note}\n${values.map(([text]) => text).join('')}`;
}

function renderValues({ what, old, new: other }: Example): string {
  const head = what === undefined ? '' : `    ${shorten(what)}\n`;
  return `${head}    old: ${shorten(old)}\n    new: ${shorten(other)}\n`;
}

function shorten(text: string | undefined): string {
  if (text === undefined) return '(none)';
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}

function count(number: number, noun: string): string {
  return `${number} ${number === 1 ? noun : `${noun}s`}`;
}

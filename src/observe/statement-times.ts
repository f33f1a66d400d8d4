// Renders the durations of the parts of a schema cache load (`operating.md` §10.5), with labels known to operators.

/** Log label and the load statements it covers. Computed relationships are loaded with the functions. */
const PARTS: readonly (readonly [label: string, statements: readonly string[]])[] = [
  ['tables', ['schemas', 'relations', 'columns', 'database']],
  ['keydeps', ['keys', 'views']],
  ['rels', ['foreignKeys']],
  ['funcs', ['routines']],
  ['comprels', []],
  ['dreps', ['representations']],
  ['mhandlers', ['mediaHandlers']],
];

/** @param milliseconds by statement name */
export function renderStatementTimes(milliseconds: ReadonlyMap<string, number>): string {
  return PARTS.map(([label, statements]) => {
    const sum = statements.reduce((total, name) => total + (milliseconds.get(name) ?? 0), 0);
    return `${label}: ${sum.toFixed(1)} ms`;
  }).join(', ');
}

// How long each part of a schema-cache load took → the line of `operating.md` §10.5, in the words of the operators.

/** Label in the log, and the statements of the load that it sums up: computed relationships come with the functions. */
const PARTS: readonly (readonly [label: string, statements: readonly string[]])[] = [
  ['tables', ['schemas', 'relations', 'columns', 'database']],
  ['keydeps', ['keys', 'views']],
  ['rels', ['foreignKeys']],
  ['funcs', ['routines']],
  ['comprels', []],
  ['dreps', ['representations']],
  ['mhandlers', ['mediaHandlers']],
];

/** @param milliseconds by name of the statement */
export function renderStatementTimes(milliseconds: ReadonlyMap<string, number>): string {
  return PARTS.map(([label, statements]) => {
    const sum = statements.reduce((total, name) => total + (milliseconds.get(name) ?? 0), 0);
    return `${label}: ${sum.toFixed(1)} ms`;
  }).join(', ');
}

// What is wrong with a database or a configuration, as data.

export type Severity = 'error' | 'warning' | 'info';

export interface Finding {
  readonly severity: Severity;
  /** The same for all findings of a kind: `definer-without-search-path`. */
  readonly code: string;
  /** What it is about: a table, a role, a file. */
  readonly object: string;
  /** One sentence. */
  readonly why: string;
  /** What mends it: SQL, or a command where it is about a file. */
  readonly mend: string;
}

const RANKS: Readonly<Record<Severity, number>> = { error: 2, warning: 1, info: 0 };

/** The worst ones first, else in the order in which they came. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((a, b) => RANKS[b.severity] - RANKS[a.severity]);
}

/** 2 with an error among them, 1 with a warning, else 0. */
export function rankFindings(findings: readonly Finding[]): number {
  return Math.max(0, ...findings.map(({ severity }) => RANKS[severity]));
}

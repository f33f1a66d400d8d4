// A problem of a database or configuration, as data.

export type Severity = 'error' | 'warning' | 'info';

export interface Finding {
  readonly severity: Severity;
  /** Identifies the kind of finding: `definer-without-search-path`. */
  readonly code: string;
  /** The object concerned: a table, a role, a file. */
  readonly object: string;
  /** One sentence. */
  readonly why: string;
  /** The fix: SQL, or a shell command for a file. */
  readonly mend: string;
}

const RANKS: Readonly<Record<Severity, number>> = { error: 2, warning: 1, info: 0 };

/** Sorts by severity, most severe first; otherwise keeps the order. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((a, b) => RANKS[b.severity] - RANKS[a.severity]);
}

/** Returns 2 if there is an error, 1 if there is a warning, otherwise 0. */
export function rankFindings(findings: readonly Finding[]): number {
  return Math.max(0, ...findings.map(({ severity }) => RANKS[severity]));
}

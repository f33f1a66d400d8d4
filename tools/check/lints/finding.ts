// What `rowhouse check` reports (`project.md` §6 items 1 to 3).

export type Level = 'error' | 'warning' | 'note';

export type LintName =
  | 'rls-off'
  | 'rls-without-policy'
  | 'policy-always-true'
  | 'policies-overlap'
  | 'policy-per-row'
  | 'policy-trusts-client'
  | 'view-bypasses-policies'
  | 'materialized-view-exposed'
  | 'definer-search-path'
  | 'definer-executable-by-anyone'
  | 'public-execute'
  | 'secret-readable'
  | 'duplicate-index'
  | 'foreign-key-without-index'
  | 'no-primary-key'
  | 'nothing-to-serve'
  | 'role-cannot-log-in'
  | 'function-misses-shards'
  | 'policy-over-all-shards'
  | 'large-local-table'
  | 'role-not-assumable'
  | 'types-outdated'
  | 'migrations-outdated'
  | 'migrations-same-number'
  | 'loss-not-accepted'
  | 'break-not-accepted'
  | 'files-broken'
  | 'mutant-survived'
  | 'unused-allowance';

/** Reported with `--mutate` only. */
export const MUTANT_SURVIVED = 'mutant-survived';

/** Which statement of the files a finding is about. */
export type Place =
  | { readonly kind: 'object'; readonly object: string }
  /** @see Finding.object for the form of `table` */
  | { readonly kind: 'policy'; readonly table: string; readonly name: string }
  | {
      readonly kind: 'grant';
      readonly object: string;
      readonly privilege: string;
      /** `public` for everybody. */
      readonly role: string;
    }
  | { readonly kind: 'line'; readonly file: string; readonly line: number | undefined };

export interface Finding {
  readonly lint: LintName;
  readonly level: Level;
  /** `api.orders`, `api.f(integer)`, or a file. */
  readonly object: string;
  readonly role: string | null;
  readonly place: Place;
  /** Whether a probe has read or changed a row that belongs to somebody else. */
  readonly isProved: boolean;
  readonly message: string;
  /** SQL. */
  readonly fix: string | null;
}

/** A finding and where the files state it. */
export interface LocatedFinding extends Finding {
  readonly file: string | null;
  readonly line: number | null;
}

/** A finding about a file as a whole. */
export function describeFile(lint: LintName, file: string, message: string, level: Level = 'error'): Finding {
  const place = { kind: 'line', file, line: undefined } as const;
  return { lint, level, object: file, role: null, place, isProved: false, message, fix: null };
}

const RANKS: Readonly<Record<Level, number>> = { error: 2, warning: 1, note: 0 };

/** Orders findings by level, lint, object and role. */
export function sortFindings(findings: readonly LocatedFinding[]): readonly LocatedFinding[] {
  const keyOf = ({ lint, object, role }: Finding): string => JSON.stringify([lint, object, role ?? '']);
  return findings.toSorted(
    (a, b) => RANKS[b.level] - RANKS[a.level] || Number(keyOf(a) > keyOf(b)) - Number(keyOf(a) < keyOf(b)),
  );
}

/** @returns the exit code: 2 with an error, 1 with a warning, else 0 */
export function rankFindings(findings: readonly Finding[]): 0 | 1 | 2 {
  const most = Math.max(0, ...findings.map(({ level }) => RANKS[level]));
  return most === 2 ? 2 : most === 1 ? 1 : 0;
}

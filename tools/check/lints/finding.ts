// What `rowhouse check` and `rowhouse doctor` report (`project.md` §6 items 1 to 3).

export type Level = 'error' | 'warning' | 'note';

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
  readonly lint: string;
  readonly level: Level;
  /** `api.orders`, `api.f(integer)`, a role, or a file. */
  readonly object: string;
  readonly role: string | null;
  readonly place: Place;
  /** Whether a probe has read or changed a row that belongs to somebody else. */
  readonly isProved: boolean;
  readonly message: string;
  /** SQL, or a command for a file. */
  readonly fix: string | null;
  /** Why a person must decide: the fix takes rights from an operator, or gives more than the finding needs. */
  readonly caution?: string;
}

/** A finding and where the files state it. */
export interface LocatedFinding extends Finding {
  readonly file: string | null;
  readonly line: number | null;
}

type ObjectFinding = Omit<Finding, 'role' | 'place' | 'isProved'>;

/** A finding about an object, whoever uses it. */
export function describeObject(finding: ObjectFinding): Finding {
  return { ...finding, role: null, place: { kind: 'object', object: finding.object }, isProved: false };
}

/** A finding about a file as a whole. */
export function describeFile(lint: string, file: string, message: string, level: Level = 'error'): Finding {
  const place = { kind: 'line', file, line: undefined } as const;
  return { ...describeObject({ lint, level, object: file, message, fix: null }), place };
}

/** Groups findings that differ only in their role. */
export function groupRoles(
  findings: readonly LocatedFinding[],
): readonly (readonly [LocatedFinding, ...LocatedFinding[]])[] {
  const groups = new Map<string, readonly [LocatedFinding, ...LocatedFinding[]]>();
  for (const finding of findings) {
    const { lint, level, object, file, line, message, fix } = finding;
    const key = JSON.stringify([lint, level, object, file, line, message, fix]);
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()];
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

// Differences from earlier commits that are intended. Add one where behavior changes on purpose; remove those that lie
// before the commit that is compared with.

export interface Intended {
  readonly reason: string;
  /** Matches the description of the difference. */
  readonly difference: RegExp;
  /** Matches method, URL, headers and body of the request; undefined: any. */
  readonly request?: RegExp;
}

export const INTENDED: readonly Intended[] = [];

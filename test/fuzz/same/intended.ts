// Differences from earlier commits that are intended. Add one where behavior changes on purpose; remove those that lie
// before the commit that is compared with.

export interface Intended {
  readonly reason: string;
  /** Matches the description of the difference. */
  readonly difference: RegExp;
  /** Matches method, URL, headers and body of the request; undefined: any. */
  readonly request?: RegExp;
}

export const INTENDED: readonly Intended[] = [
  {
    reason: 'links of a query in a body contain its values, no longer the marks of the plan cache',
    difference: /^headers from \d+: [^\n]*Link: <\?[^>]*~\d+~/u,
    request: /^(?:POST|QUERY) /u,
  },
  {
    reason: 'errors have a hint',
    difference:
      /^(?:headers from \d+: ([^\n]*Content-Length: )\d+( [^\n]*)\n {2}→ \1\d+\2(?:\n|$))?(?:body from \d+: [^\n]*"hint":null[^\n]*\n {2}→ [^\n]*"hint":"[^\n]*)?$/u,
  },
  {
    reason: 'GeoJSON needs PostGIS, and says so',
    difference: /^(?:status|headers|body)/u,
    request: /application\/geo\+json/u,
  },
];

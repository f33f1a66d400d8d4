// The version of a row within an entity tag (`beyond.md` §1.7): `"<digest>.<version>"`. PostgreSQL renders the version
// (`sql/writes/row-version.ts`); it changes with every update of the row, and no other row has it.

const VERSIONED_TAG = /(?<weak>W\/)?"[^".]*\.(?<version>\d+\.\d+\.\d+-\d+)"/gu;

/** @param version undefined if the representation is not that of one row */
export function renderTag(digest: string, version: string | undefined): string {
  return `"${digest}${version === undefined ? '' : `.${version}`}"`;
}

/**
 * Returns the versions in a list of tags. Other tags identify no version, and a weak one never fulfils `If-Match`
 * (RFC 9110 §8.8.3.2).
 */
export function readVersions(tags: string): readonly string[] {
  return [...tags.matchAll(VERSIONED_TAG)].flatMap(({ groups }) =>
    groups?.['weak'] === undefined ? (groups?.['version'] ?? []) : [],
  );
}

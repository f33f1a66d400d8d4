// Translates the conformance cases, which use the names of the `svc` dialect, to the names of the `postgrest` dialect.

/** @returns the text with every error code, media type, setting and virtual column renamed */
export function toPostgrestNames(text: string): string {
  return text
    .replaceAll('vnd.svc.', 'vnd.pgrst.')
    .replaceAll(/SVC00(?!\d)/gu, 'PGRST')
    .replaceAll(/\bSVC(?=[\dX]\d\d|\b)/gu, 'PGRST')
    .replaceAll(/\bsvc(?=\.|_scalar\b)/gu, 'pgrst');
}

/** Renames in every text of a record, except in its keys. */
export function renameAll<T>(record: T): T {
  const rename = (_: string, value: unknown): unknown => (typeof value === 'string' ? toPostgrestNames(value) : value);
  return JSON.parse(JSON.stringify(record), rename) as T;
}

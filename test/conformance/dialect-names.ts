// The cases are written with the names of the `svc` dialect; this tells how the `postgrest` dialect says the same.

/** @returns `text` with every error code, media type, setting and made-up column as `postgrest` names it */
export function toPostgrestNames(text: string): string {
  return text
    .replaceAll('vnd.svc.', 'vnd.pgrst.')
    .replaceAll(/SVC00(?!\d)/gu, 'PGRST')
    .replaceAll(/\bSVC(?=[\dX]\d\d|\b)/gu, 'PGRST')
    .replaceAll(/\bsvc(?=\.|_scalar\b)/gu, 'pgrst');
}

/** The same for every text in a record, its keys excepted. */
export function renameAll<T>(record: T): T {
  const rename = (_: string, value: unknown): unknown => (typeof value === 'string' ? toPostgrestNames(value) : value);
  return JSON.parse(JSON.stringify(record), rename) as T;
}

/** A relation, routine or type by schema and name, both as stored in PostgreSQL's catalogs (never quoted). */
export interface QualifiedName {
  readonly schema: string;
  readonly name: string;
}

/** `schema.name` for messages; never for SQL. */
export function displayName(qualified: QualifiedName): string {
  return `${qualified.schema}.${qualified.name}`;
}

export function isSameName(a: QualifiedName, b: QualifiedName): boolean {
  return a.schema === b.schema && a.name === b.name;
}

/** Double-quoted for SQL, `"` doubled; cut at the first NUL, which no PostgreSQL identifier can hold. */
export function quoteIdentifier(name: string): string {
  const end = name.indexOf('\0');
  const visible = end === -1 ? name : name.slice(0, end);
  return visible.includes('"') ? `"${visible.replaceAll('"', '""')}"` : `"${visible}"`;
}

/** Single-quoted for SQL, `'` doubled; backslashes stand for themselves, as `standard_conforming_strings` has it. */
export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

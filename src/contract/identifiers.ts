/** A relation, routine or type by schema and name, both as stored in PostgreSQL's catalogs, never quoted. */
/** A constraint as PostgreSQL reports it. */
export interface ConstraintName {
  readonly schema: string;
  /** The table or the domain. */
  readonly owner: string;
  readonly name: string;
}

export interface QualifiedName {
  readonly schema: string;
  readonly name: string;
}

/** Returns `schema.name` for messages; never use it in SQL. */
export function displayName(qualified: QualifiedName): string {
  return `${qualified.schema}.${qualified.name}`;
}

export function isSameName(a: QualifiedName, b: QualifiedName): boolean {
  return a.schema === b.schema && a.name === b.name;
}

/** Returns the name as a person would write it in SQL: quoted only if necessary. */
export function spellIdentifier(name: string): string {
  return /^[a-z_][a-z0-9_]*$/u.test(name) && !RESERVED_WORDS.has(name) ? name : quoteIdentifier(name);
}

/** Reserved words of PostgreSQL 18, including those reserved only in some contexts. */
const RESERVED_WORDS: ReadonlySet<string> = new Set(
  `all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean both case cast
  char character check coalesce collate collation column concurrently constraint create cross current_catalog
  current_date current_role current_schema current_time current_timestamp current_user dec decimal default deferrable
  desc distinct do else end except exists extract false fetch float for foreign freeze from full grant greatest group
  grouping having ilike in initially inner inout int integer intersect interval into is isnull join json json_array
  json_arrayagg json_exists json_object json_objectagg json_query json_scalar json_serialize json_table json_value
  lateral leading least left like limit localtime localtimestamp merge_action national natural nchar none normalize not
  notnull null nullif numeric offset on only or order out outer overlaps overlay placing position precision primary
  real references returning right row select session_user setof similar smallint some substring symmetric
  system_user table tablesample then time timestamp to trailing treat trim true union unique user using values varchar
  variadic verbose when where window with xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse
  xmlpi xmlroot xmlserialize xmltable`.split(/\s+/u),
);

/**
 * Quotes an identifier for SQL and doubles `"`. Cuts it at the first NUL, which no PostgreSQL identifier can contain.
 */
export function quoteIdentifier(name: string): string {
  const end = name.indexOf('\0');
  const visible = end === -1 ? name : name.slice(0, end);
  return visible.includes('"') ? `"${visible.replaceAll('"', '""')}"` : `"${visible}"`;
}

const UNPRINTABLE = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/u;
const TO_ESCAPE = /[\\\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu;

/** Quotes an identifier for SQL that is also shown: characters that affect a terminal become `U&"\\001B"`. */
export function quoteShownIdentifier(name: string): string {
  if (!UNPRINTABLE.test(name)) return quoteIdentifier(name);
  const escape = (character: string): string =>
    character === '\\' ? '\\\\' : `\\${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  return `U&${quoteIdentifier(name).replaceAll(TO_ESCAPE, escape)}`;
}

/** Quotes a literal for SQL and doubles `'`. Backslashes are literal, as with `standard_conforming_strings`. */
export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** PostgreSQL truncates longer names at a character boundary. */
export const MAX_IDENTIFIER_BYTES = 63;

/** Returns the length in UTF-8. */
export function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** @returns the longest prefix of whole characters that takes at most `maxBytes` in UTF-8 */
export function cutToBytes(text: string, maxBytes: number): string {
  let cut = '';
  let bytes = 0;
  for (const character of text) {
    bytes += countBytes(character);
    if (bytes > maxBytes) break;
    cut += character;
  }
  return cut;
}

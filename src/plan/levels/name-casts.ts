// Finds the first cast of a level to a type whose values print as names of database objects (such as `regclass`).
import { cutToBytes, MAX_IDENTIFIER_BYTES } from '../../contract/identifiers.ts';
import type { SelectItem } from '../../request/query/query-params.ts';

export function findNameCast(items: readonly SelectItem[], nameTypes: ReadonlySet<string>): string | undefined {
  return items.flatMap(castsOf).find((cast) => cast.split(/\s+/u).some((word) => nameTypes.has(foldIdentifier(word))));
}

function castsOf(item: SelectItem): readonly string[] {
  if (item.kind === 'countRows') return item.cast === undefined ? [] : [item.cast];
  return item.kind === 'column' ? [item.cast, item.aggregate?.cast].filter((cast) => cast !== undefined) : [];
}

/** Folds an unquoted identifier as PostgreSQL does. */
function foldIdentifier(word: string): string {
  return cutToBytes(word.toLowerCase(), MAX_IDENTIFIER_BYTES);
}

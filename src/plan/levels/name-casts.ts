// The casts of a level × the types whose values are printed as names of other objects → the first cast to one of these.
import { cutToBytes, MAX_IDENTIFIER_BYTES } from '../../contract/identifiers.ts';
import type { SelectItem } from '../../request/query/query-params.ts';

export function findNameCast(items: readonly SelectItem[], nameTypes: ReadonlySet<string>): string | undefined {
  return items.flatMap(castsOf).find((cast) => cast.split(/\s+/u).some((word) => nameTypes.has(foldIdentifier(word))));
}

function castsOf(item: SelectItem): readonly string[] {
  if (item.kind === 'countRows') return item.cast === undefined ? [] : [item.cast];
  return item.kind === 'column' ? [item.cast, item.aggregate?.cast].filter((cast) => cast !== undefined) : [];
}

/** As PostgreSQL reads an identifier without quotes. */
function foldIdentifier(word: string): string {
  return cutToBytes(word.toLowerCase(), MAX_IDENTIFIER_BYTES);
}

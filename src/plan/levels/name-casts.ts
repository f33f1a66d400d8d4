// Finds the first cast of a level to a type whose values print as names of database objects (such as `regclass`).
import { cutToBytes, MAX_IDENTIFIER_BYTES } from '../../contract/identifiers.ts';
import type { AggregateTerm, LogicNode, SelectItem } from '../../request/query/query-params.ts';
import { conditionsOf, type SelectLevel } from './select-tree.ts';

export function findNameCast(level: SelectLevel, nameTypes: ReadonlySet<string>): string | undefined {
  const casts = [
    ...level.items.flatMap(castsOfItem),
    ...level.order.flatMap(({ aggregate }) => (aggregate === undefined ? [] : castsOfTerm(aggregate))),
    ...conditionsOf(level).flatMap(castsOfCondition),
  ];
  return casts.find((cast) => cast?.split(/\s+/u).some((word) => nameTypes.has(foldIdentifier(word))));
}

type Casts = readonly (string | undefined)[];

function castsOfItem(item: SelectItem): Casts {
  if (item.kind === 'countRows') return [item.cast];
  return item.kind === 'column' ? [item.cast, item.aggregate?.cast] : [];
}

function castsOfTerm({ cast, call }: AggregateTerm): Casts {
  return [cast, call.cast];
}

function castsOfCondition(node: LogicNode): Casts {
  if (node.kind === 'group') return node.members.flatMap(castsOfCondition);
  if (node.kind === 'related') return castsOfCondition(node.member);
  return node.kind === 'having' ? castsOfTerm(node.term) : [];
}

/** Folds an unquoted identifier as PostgreSQL does. */
function foldIdentifier(word: string): string {
  return cutToBytes(word.toLowerCase(), MAX_IDENTIFIER_BYTES);
}

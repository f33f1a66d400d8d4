// Finds the part of a parsed query that contains the caret, which a letter in the text stands for.
import type {
  Addressed,
  Distinct,
  EmbedItem,
  Field,
  LogicNode,
  Operation,
  OrderTerm,
  QueryParams,
  Score,
  SelectItem,
} from '../../../src/request/query/query-params.ts';
import { findEmbed, isEmbed, nameOfColumn } from '../url-state/levels.ts';
import type { SpotLevel, SpotMeaning, SpotOperation } from './spot.ts';

/** A letter of a script that few names use. */
export const CARET = '\u{2D63}';

/** What contains the caret, and its whole text. */
export interface Found {
  readonly text: string;
  readonly meaning: SpotMeaning;
}

/** Finds the caret in the value of a parameter. */
export function findInValue(params: QueryParams): Found | undefined {
  const { select, filters, logic, having, orders, distinct, scores } = params;
  const search = <T>(
    entries: readonly Addressed<T>[],
    find: (value: T, level: SpotLevel | undefined) => Found | undefined,
  ): Found | undefined => first(entries, ({ path, value }) => find(value, levelAt(select, path)));
  return (
    findInSelect(select, []) ??
    search(orders, findInOrder) ??
    search(distinct, findInDistinct) ??
    search(scores, findInScore) ??
    search(logic, findInNode) ??
    search(filters, ({ field, operation }, level) =>
      findInOperation(operation, { level, field, within: 'parameter' }),
    ) ??
    search(having, ({ operation }, level) =>
      findInOperation(operation, { level, field: NO_FIELD, within: 'parameter' }),
    )
  );
}

/** Finds the caret in the name of a parameter whose value is a filter. */
export function findInName({ select, filters }: QueryParams): Found | undefined {
  return first(filters, ({ path, value }) => {
    const level = levelAt(
      select,
      path.filter((name) => name !== 'not'),
    );
    return findInField(value.field, { kind: 'parameter', level });
  });
}

/** An aggregate's result need not have the type of its column. */
const NO_FIELD: Field = { column: '', path: [] };

function first<T>(list: readonly T[], find: (one: T) => Found | undefined): Found | undefined {
  for (const one of list) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function foundIn(text: string | undefined, meaning: SpotMeaning): Found | undefined {
  return text?.includes(CARET) === true ? { text, meaning } : undefined;
}

function findInField({ column, path }: Field, meaning: SpotMeaning): Found | undefined {
  return (
    foundIn(column, meaning) ??
    first(path, ({ operand }) => (operand.kind === 'key' ? foundIn(operand.name, { kind: 'jsonKey' }) : undefined))
  );
}

function levelAt(select: readonly SelectItem[], path: readonly string[]): SpotLevel | undefined {
  const chain: EmbedItem[] = [];
  let items = select;
  for (const name of path) {
    const embed = findEmbed(items, name);
    if (embed === undefined) return undefined;
    chain.push(embed);
    items = embed.select;
  }
  return { chain, embeds: items.filter(isEmbed) };
}

function findInSelect(items: readonly SelectItem[], chain: readonly EmbedItem[]): Found | undefined {
  const level: SpotLevel = { chain, embeds: items.filter(isEmbed) };
  return first(items, (item) => {
    if (item.kind === 'all') return undefined;
    const others = items.filter((one) => one !== item).flatMap(nameShown);
    const name = { kind: 'selectName', level, others } as const;
    const alias = foundIn(item.alias, { kind: 'alias' });
    if (item.kind === 'countRows') return alias ?? foundIn(item.cast, { kind: 'cast' });
    if (item.kind === 'column')
      return (
        alias ??
        findInField(item.field, name) ??
        foundIn(item.cast, { kind: 'cast' }) ??
        foundIn(item.aggregate?.cast, { kind: 'cast' })
      );
    return (
      alias ??
      foundIn(item.target, name) ??
      foundIn(item.hint, { kind: 'hint', level, target: item.target }) ??
      findInSelect(item.select, [...chain, item])
    );
  });
}

/** Returns the name of a column in the response; none of an aggregate, which cannot be ordered by. */
function nameShown(item: SelectItem): readonly string[] {
  if (item.kind === 'all') return ['*'];
  return item.kind === 'column' && item.aggregate === undefined ? [nameOfColumn(item)] : [];
}

function findInOrder(terms: readonly OrderTerm[], level: SpotLevel | undefined): Found | undefined {
  return first(terms, ({ relation, field, aggregate }) => {
    const own = { kind: 'orderName', level, canRelate: true } as const;
    if (relation === undefined) return findInField(field, own) ?? foundIn(aggregate?.cast, { kind: 'cast' });
    const embed = level && findEmbed(level.embeds, relation);
    const names = embed?.select.flatMap(nameShown) ?? [];
    return (
      foundIn(relation, own) ??
      findInField(field, {
        kind: 'orderName',
        level: embed && { chain: [...(level?.chain ?? []), embed], embeds: [] },
        canRelate: false,
        shown: names.length === 0 || names.includes('*') ? undefined : names,
      })
    );
  });
}

function findInDistinct(distinct: Distinct, level: SpotLevel | undefined): Found | undefined {
  if (distinct.kind === 'rows') return undefined;
  return first(distinct.fields, (field) => findInField(field, { kind: 'columnName', level, parameter: 'distinct' }));
}

function findInScore({ field, measure, language, value }: Score, level: SpotLevel | undefined): Found | undefined {
  return (
    findInField(field, { kind: 'columnName', level, parameter: 'score' }) ??
    foundIn(language, { kind: 'language' }) ??
    foundIn(value, { kind: 'value', level, field, operator: measure, within: 'parameter' })
  );
}

function findInNode(node: LogicNode, level: SpotLevel | undefined): Found | undefined {
  const name = { kind: 'condition', level } as const;
  switch (node.kind) {
    case 'group':
      return first(node.members, (member) => findInNode(member, level));
    case 'related':
      return (
        foundIn(node.target, name) ?? findInNode(node.member, level && { chain: [...level.chain, node], embeds: [] })
      );
    case 'filter':
      return (
        findInField(node.field, name) ?? findInOperation(node.operation, { level, field: node.field, within: 'group' })
      );
    case 'having':
      return (
        (node.term.field && findInField(node.term.field, name)) ??
        findInOperation(node.operation, { level, field: NO_FIELD, within: 'group' })
      );
  }
}

function findInOperation(
  operation: Operation,
  context: Pick<SpotOperation, 'level' | 'field' | 'within'>,
): Found | undefined {
  switch (operation.kind) {
    case 'compare':
    case 'literalText': {
      const { operator, quantifier: option } = operation;
      return foundIn(operation.value, { ...context, kind: 'value', operator, option });
    }
    case 'compareColumn': {
      const { operator, row: option } = operation;
      return findInField(operation.field, { ...context, kind: 'value', operator, option });
    }
    case 'in':
      return first(operation.values, (value) =>
        foundIn(value, { ...context, kind: 'value', operator: 'in', within: 'list' }),
      );
    case 'is':
      return undefined;
    case 'isDistinct':
      return foundIn(operation.value, { ...context, kind: 'value', operator: 'isdistinct' });
    case 'fullText':
      return (
        foundIn(operation.language, { kind: 'language' }) ??
        foundIn(operation.value, { ...context, kind: 'value', operator: operation.operator })
      );
  }
}

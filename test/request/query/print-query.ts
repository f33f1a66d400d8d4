// Prints QueryParams as a raw query string that parses back to them, for property tests of the parser.
import type {
  Addressed,
  AggregateCall,
  AggregateTerm,
  Field,
  Filter,
  LimitOffset,
  LogicGroup,
  LogicNode,
  Operation,
  OrderTerm,
  QueryParams,
  SelectItem,
} from '../../../src/request/query/query-params.ts';

type Printed = Omit<QueryParams, 'canonical' | 'args' | 'ignoredText' | 'pages' | 'scores'> &
  Partial<Pick<QueryParams, 'pages'>>;

export function printQuery(query: Printed): string {
  const parameters: readonly (readonly [string, string])[] = [
    ['select', query.select.map(printItem).join(',')],
    ...query.filters.map(
      ({ path, value }) => [printPath([...path, ''], printField(value.field)), printFilterValue(value)] as const,
    ),
    ...query.having.map(
      ({ path, value }) =>
        [printPath([...path, ''], printAggregate(value.term)), printExpression(value, (text) => text)] as const,
    ),
    ...query.logic.map(printLogicParameter),
    ...query.distinct.map(
      ({ path, value }) =>
        [
          printPath([...path, ''], 'distinct'),
          value.kind === 'rows' ? '*' : value.fields.map(printField).join(','),
        ] as const,
    ),
    ...query.orders.map(
      ({ path, value }) => [printPath([...path, ''], 'order'), value.map(printTerm).join(',')] as const,
    ),
    ...query.ranges.flatMap(printRange),
    ...(query.pages ?? []).map(({ path, value }) => [printPath([...path, ''], value.direction), value.text] as const),
    ...(query.columns === undefined ? [] : [['columns', query.columns.map(printName).join(',')] as const]),
    ...(query.onConflict === undefined ? [] : [['on_conflict', query.onConflict.map(printName).join(',')] as const]),
    ...(query.onAnyConflict === undefined ? [] : [['on_conflict', '*'] as const]),
    ...(query.merge === undefined ? [] : [['merge', query.merge.map(printName).join(',')] as const]),
  ];
  return parameters.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
}

const BARE = /^[a-z_é][a-z0-9_é]*(?:-[a-z]+)*$/;
const RESERVED = new Set([
  'merge',
  'select',
  'columns',
  'on_conflict',
  'order',
  'limit',
  'offset',
  'and',
  'or',
  'not',
  'count',
  'distinct',
]);

function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

function printName(name: string): string {
  return BARE.test(name) && !RESERVED.has(name) && !/^(?:left|inner)/.test(name) ? name : quote(name);
}

function printPath(path: readonly string[], last: string): string {
  return [...path.slice(0, -1).map(printName), last].join('.');
}

function printField({ column, path }: Field): string {
  const steps = path.map(
    ({ arrow, operand }) => arrow + (operand.kind === 'index' ? operand.digits : printName(operand.name)),
  );
  return [printName(column), ...steps].join('');
}

function printOptional(before: string, text: string | undefined, after = ''): string {
  return text === undefined ? '' : `${before}${text}${after}`;
}

function printAlias(alias: string | undefined): string {
  return alias === undefined ? '' : `${printName(alias)}:`;
}

function printItem(item: SelectItem): string {
  switch (item.kind) {
    case 'all':
      return '*';
    case 'countRows':
      return `${printAlias(item.alias)}count()${printOptional('::', item.cast)}`;
    case 'column': {
      const call = item.aggregate && `.${printCall(item.aggregate)}`;
      return `${printAlias(item.alias)}${printField(item.field)}${printOptional('::', item.cast)}${call ?? ''}`;
    }
    case 'embed':
    case 'spread': {
      const head = `${item.kind === 'spread' ? '...' : printAlias(item.alias)}${printName(item.target)}`;
      const hint = item.hint === undefined ? '' : `!${printName(item.hint)}`;
      return `${head}${hint}${item.join === 'inner' ? '!inner' : ''}(${item.select.map(printItem).join(',')})`;
    }
  }
}

function printFilterValue(filter: Filter): string {
  return printExpression(filter, (value) => value);
}

function printExpression(
  { negated, operation }: Pick<Filter, 'negated' | 'operation'>,
  printValue: (value: string) => string,
): string {
  return `${negated ? 'not.' : ''}${printOperation(operation, printValue)}`;
}

function printOperation(operation: Operation, printValue: (value: string) => string): string {
  switch (operation.kind) {
    case 'compare':
    case 'literalText':
      return `${operation.operator}${printOptional('(', operation.quantifier, ')')}.${printValue(operation.value)}`;
    case 'compareColumn':
      return `${operation.operator}(${operation.row}).${printField(operation.field)}`;
    case 'in':
      return `in.(${operation.values.map(quote).join(',')})`;
    case 'is':
      return `is.${operation.value}`;
    case 'isDistinct':
      return `isdistinct.${printValue(operation.value)}`;
    case 'fullText':
      return `${operation.operator}${printOptional('(', operation.language, ')')}.${printValue(operation.value)}`;
  }
}

function printLogicParameter({ path, value }: Addressed<LogicGroup>): readonly [string, string] {
  const name = `${value.negated ? 'not.' : ''}${printPath([...path, ''], value.operator)}`;
  return [name, printMembers(value)];
}

function printMembers(group: LogicGroup): string {
  return `(${group.members.map(printNode).join(',')})`;
}

function printNode(node: LogicNode): string {
  if (node.kind === 'related')
    return `${node.negated ? 'not.' : ''}${printName(node.target)}${printOptional('!', node.hint === undefined ? undefined : printName(node.hint))}.${printNode(node.member)}`;
  if (node.kind === 'having') return `${printAggregate(node.term)}.${printExpression(node, quote)}`;
  if (node.kind === 'filter') return `${printField(node.field)}.${printExpression(node, quote)}`;
  return `${node.negated ? 'not.' : ''}${node.operator}${printMembers(node)}`;
}

function printAggregate({ field, cast, call }: AggregateTerm): string {
  return `${field === undefined ? '' : `${printField(field)}${printOptional('::', cast)}.`}${printCall(call)}`;
}

function printCall({ function: name, isDistinct, cast }: AggregateCall): string {
  return `${name}(${isDistinct ? 'distinct' : ''})${printOptional('::', cast)}`;
}

function printTerm({ relation, field, aggregate, direction, nulls }: OrderTerm): string {
  const own = aggregate === undefined ? printField(field) : printAggregate(aggregate);
  const target = relation === undefined ? own : `${printName(relation)}(${printField(field)})`;
  return `${target}${printOptional('.', direction)}${printOptional('.', nulls)}`;
}

function printRange({ path, value }: Addressed<LimitOffset>): readonly (readonly [string, string])[] {
  return (['limit', 'offset'] as const).flatMap((name) => {
    const bound = value[name];
    return bound === undefined ? [] : [[printPath([...path, ''], name), String(bound)] as const];
  });
}

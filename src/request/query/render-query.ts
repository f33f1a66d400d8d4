// Renders a parsed query as decoded parameters that parse back to it.
import { quoteText, renderField, renderFilterField, renderHint, renderName, renderPath } from './render-names.ts';
import type {
  AggregateCall,
  AggregateTerm,
  Distinct,
  EmbedItem,
  Filter,
  HavingFilter,
  LogicGroup,
  LogicNode,
  Operation,
  OrderTerm,
  QueryParams,
  RelatedNode,
  Score,
  SelectItem,
} from './query-params.ts';

/** Without information about the text, and without what only writes of other extensions than `upsert` have. */
export type RenderedParams = Omit<
  QueryParams,
  'canonical' | 'ignoredText' | 'unreadableScore' | 'conflictIndex' | 'match' | 'nestedLists'
>;

type Pair = readonly [name: string, value: string];

/** Omits a `select` of all columns. */
export function renderParameters(params: RenderedParams): readonly Pair[] {
  return [...params.args, ...renderReading(params), ...renderWriting(params)];
}

function renderReading({ select, filters, logic, having, distinct, scores, ...more }: RenderedParams): readonly Pair[] {
  const isAll = select.length === 1 && select[0]?.kind === 'all';
  return [
    ...(isAll ? [] : [['select', renderSelect(select)] as const]),
    ...filters.map(
      ({ path, value }) => [renderPath(path) + renderFilterField(value.field), renderFilterValue(value)] as const,
    ),
    ...logic.map(
      ({ path, value }) =>
        [`${renderPath(path)}${value.negated ? 'not.' : ''}${value.operator}`, renderMembers(value)] as const,
    ),
    ...having.map(
      ({ path, value }) => [renderPath(path) + renderAggregateTerm(value.term), renderFilterValue(value)] as const,
    ),
    ...distinct.map(({ path, value }) => [`${renderPath(path)}distinct`, renderDistinct(value)] as const),
    ...scores.map(({ path, value }) => [`${renderPath(path)}score`, renderScore(value)] as const),
    ...renderRows(more),
  ];
}

function renderDistinct(distinct: Distinct): string {
  return distinct.kind === 'rows' ? '*' : distinct.fields.map(renderField).join(',');
}

function renderRows({ orders, ranges, pages }: Pick<RenderedParams, 'orders' | 'ranges' | 'pages'>): readonly Pair[] {
  return [
    ...orders.map(({ path, value }) => [`${renderPath(path)}order`, renderOrder(value)] as const),
    ...ranges.flatMap(({ path, value }) =>
      (['limit', 'offset'] as const).flatMap((bound) =>
        value[bound] === undefined ? [] : [[renderPath(path) + bound, String(value[bound])] as const],
      ),
    ),
    ...pages.map(({ path, value }) => [renderPath(path) + value.direction, value.text] as const),
  ];
}

function renderWriting({ columns, onConflict, onAnyConflict, merge }: RenderedParams): readonly Pair[] {
  const lists = Object.entries({ columns, on_conflict: onConflict, merge });
  return [
    ...lists.flatMap(([name, list]) => (list === undefined ? [] : [[name, list.map(renderName).join(',')] as const])),
    ...(onAnyConflict === true ? [['on_conflict', '*'] as const] : []),
  ];
}

export function renderSelect(items: readonly SelectItem[]): string {
  return items.map(renderItem).join(',');
}

export function renderOrder(terms: readonly OrderTerm[]): string {
  return terms.map(renderTerm).join(',');
}

function renderItem(item: SelectItem): string {
  switch (item.kind) {
    case 'all':
      return '*';
    case 'countRows':
      return `${renderAlias(item.alias)}count()${renderCast(item.cast)}`;
    case 'column': {
      const { aggregate } = item;
      const call = aggregate === undefined ? '' : `.${renderCall(aggregate)}`;
      return `${renderAlias(item.alias)}${renderField(item.field)}${renderCast(item.cast)}${call}`;
    }
    case 'embed':
    case 'spread':
      return renderEmbed(item);
  }
}

function renderEmbed({ kind, alias, target, hint, join, levels, select }: EmbedItem): string {
  const start = kind === 'spread' ? '...' : renderAlias(alias);
  const modifiers = `${hint === undefined ? '' : `!${renderHint(hint)}`}${join === 'inner' ? '!inner' : ''}`;
  return `${start}${renderName(target)}${modifiers}${levels === undefined ? '' : `{${levels}}`}(${renderSelect(select)})`;
}

function renderAlias(alias: string | undefined): string {
  return alias === undefined ? '' : `${renderName(alias)}:`;
}

function renderTerm(term: OrderTerm): string {
  return [renderTarget(term), term.direction, term.nulls].filter((part) => part !== undefined).join('.');
}

function renderTarget({ relation, field, aggregate }: OrderTerm): string {
  if (aggregate !== undefined) return renderAggregateTerm(aggregate);
  return relation === undefined ? renderField(field) : `${renderName(relation)}(${renderField(field)})`;
}

function renderCast(type: string | undefined): string {
  return type === undefined ? '' : `::${type}`;
}

/** `sum(distinct)::text` */
function renderCall({ function: name, isDistinct, cast }: AggregateCall): string {
  return `${name}(${isDistinct === true ? 'distinct' : ''})${renderCast(cast)}`;
}

/** `value::int.sum()`, `count()` */
export function renderAggregateTerm({ field, cast, call }: AggregateTerm): string {
  return `${field === undefined ? '' : `${renderFilterField(field)}${renderCast(cast)}.`}${renderCall(call)}`;
}

/** Renders the value of a filter parameter: `not.gte.5`. */
export function renderFilterValue({
  negated,
  operation,
}: Pick<Filter | HavingFilter, 'negated' | 'operation'>): string {
  return `${negated ? 'not.' : ''}${renderOperation(operation, (value) => value)}`;
}

/** `body.wfts(english).boats` */
function renderScore({ field, measure, language, value }: Score): string {
  return `${renderFilterField(field)}.${measure}${renderLanguage(language)}.${value}`;
}

/** Renders the value of a group parameter: `(a.eq.1,or(b.eq.2,c.eq.3))`. */
export function renderMembers({ members }: LogicGroup): string {
  return `(${members.map(renderNode).join(',')})`;
}

function renderNode(node: LogicNode): string {
  const negation = node.negated ? 'not.' : '';
  if (node.kind === 'group') return `${negation}${node.operator}${renderMembers(node)}`;
  if (node.kind === 'related') return `${negation}${renderRelated(node)}`;
  if (node.kind === 'having')
    return `${renderAggregateTerm(node.term)}.${negation}${renderOperation(node.operation, renderGroupValue)}`;
  return `${renderFilterField(node.field)}.${negation}${renderOperation(node.operation, renderGroupValue)}`;
}

function renderRelated({ target, hint, member }: RelatedNode): string {
  return `${renderFilterField({ column: target, path: [] })}${hint === undefined ? '' : `!${renderName(hint)}`}.${renderNode(member)}`;
}

function renderOperation(operation: Operation, renderValue: (value: string) => string): string {
  switch (operation.kind) {
    case 'compare':
    case 'literalText': {
      const quantifier = operation.quantifier === undefined ? '' : `(${operation.quantifier})`;
      return `${operation.operator}${quantifier}.${renderValue(operation.value)}`;
    }
    case 'compareColumn':
      return `${operation.operator}(${operation.row}).${renderFilterField(operation.field)}`;
    case 'in':
      return `in.(${operation.values.map(renderListValue).join(',')})`;
    case 'is':
      return `is.${operation.value}`;
    case 'isDistinct':
      return `isdistinct.${renderValue(operation.value)}`;
    case 'fullText':
      return `${operation.operator}${renderLanguage(operation.language)}.${renderValue(operation.value)}`;
  }
}

function renderLanguage(language: string | undefined): string {
  return language === undefined ? '' : `(${language})`;
}

const NEEDS_QUOTES = /^["{\s]|[,)]|\s$/u;
const FLAT_ARRAY = /^\{[^{}]*\}$/u;

function renderGroupValue(value: string): string {
  return NEEDS_QUOTES.test(value) && !FLAT_ARRAY.test(value) ? quoteText(value) : value;
}

export function renderListValue(value: string): string {
  return NEEDS_QUOTES.test(value) ? quoteText(value) : value;
}

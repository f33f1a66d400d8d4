// Renders filters and groups, as parameters or within a group.
import type {
  Filter,
  HavingFilter,
  LogicGroup,
  LogicNode,
  Operation,
  RelatedNode,
  Score,
} from '../../../src/request/query/query-params.ts';
import { renderAggregateTerm } from './render-aggregate.ts';
import { quoteText, renderFilterField, renderName } from './render-names.ts';

/** Renders the value of a filter parameter: `not.gte.5`. */
export function renderFilterValue({
  negated,
  operation,
}: Pick<Filter | HavingFilter, 'negated' | 'operation'>): string {
  return `${negated ? 'not.' : ''}${renderOperation(operation, (value) => value)}`;
}

/** `body.wfts(english).boats` */
export function renderScore({ field, measure, language, value }: Score): string {
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
  return `${renderName(target)}${hint === undefined ? '' : `!${renderName(hint)}`}.${renderNode(member)}`;
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

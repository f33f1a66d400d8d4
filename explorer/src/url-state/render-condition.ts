// Renders filters and groups, as parameters or within a group.
import type {
  AggregateTerm,
  Filter,
  LogicGroup,
  LogicNode,
  Operation,
  RelatedNode,
} from '../../../src/request/query/query-params.ts';
import { quoteText, renderFilterField, renderName } from './render-names.ts';

/** Renders the value of a filter parameter: `not.gte.5`. */
export function renderFilterValue({ negated, operation }: Filter): string {
  return `${negated ? 'not.' : ''}${renderOperation(operation, (value) => value)}`;
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

function renderAggregateTerm({ field, cast, call }: AggregateTerm): string {
  const value = field === undefined ? '' : `${renderFilterField(field)}${renderCast(cast)}.`;
  return `${value}${call.function}(${call.isDistinct ? 'distinct' : ''})${renderCast(call.cast)}`;
}

function renderCast(type: string | undefined): string {
  return type === undefined ? '' : `::${type}`;
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
    case 'fullText': {
      const language = operation.language === undefined ? '' : `(${operation.language})`;
      return `${operation.operator}${language}.${renderValue(operation.value)}`;
    }
  }
}

const NEEDS_QUOTES = /^["{\s]|[,)]|\s$/u;
const FLAT_ARRAY = /^\{[^{}]*\}$/u;

function renderGroupValue(value: string): string {
  return NEEDS_QUOTES.test(value) && !FLAT_ARRAY.test(value) ? quoteText(value) : value;
}

export function renderListValue(value: string): string {
  return NEEDS_QUOTES.test(value) ? quoteText(value) : value;
}

// Renders select items and order terms.
import type { EmbedItem, OrderTerm, SelectItem } from '../../../src/request/query/query-params.ts';
import { renderAggregateTerm, renderCall, renderCast } from './render-aggregate.ts';
import { renderField, renderHint, renderName } from './render-names.ts';

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

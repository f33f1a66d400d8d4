// Renders select items and order terms.
import type { EmbedItem, OrderTerm, SelectItem } from '../../../src/request/query/query-params.ts';
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
      const call = aggregate === undefined ? '' : `.${aggregate.function}()${renderCast(aggregate.cast)}`;
      return `${renderAlias(item.alias)}${renderField(item.field)}${renderCast(item.cast)}${call}`;
    }
    case 'embed':
    case 'spread':
      return renderEmbed(item);
  }
}

function renderEmbed({ kind, alias, target, hint, join, select }: EmbedItem): string {
  const start = kind === 'spread' ? '...' : renderAlias(alias);
  const modifiers = `${hint === undefined ? '' : `!${renderHint(hint)}`}${join === 'inner' ? '!inner' : ''}`;
  return `${start}${renderName(target)}${modifiers}(${renderSelect(select)})`;
}

function renderAlias(alias: string | undefined): string {
  return alias === undefined ? '' : `${renderName(alias)}:`;
}

function renderCast(cast: string | undefined): string {
  return cast === undefined ? '' : `::${cast}`;
}

function renderTerm({ relation, field, direction, nulls }: OrderTerm): string {
  const target = relation === undefined ? renderField(field) : `${renderName(relation)}(${renderField(field)})`;
  return [target, direction, nulls].filter((part) => part !== undefined).join('.');
}

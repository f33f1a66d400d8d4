// What a level selects beside whole columns: values within columns, aggregates, the number of rows.
import type { VNode } from 'preact';
import type { DescribedColumn } from '../../../src/contract/schema-document.ts';
import type { JsonStep, SelectItem } from '../../../src/request/query/query-params.ts';
import { addCountRows, columnItem, removeItem } from '../url-state/edit-columns.ts';
import { changeSelect, isEmbed } from '../url-state/levels.ts';
import { renderSelect } from '../url-state/render-select.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { aggregatesFor } from './aggregates.ts';
import { isPlainColumn } from './edit-items.ts';
import { ItemEditor } from './item-editor.tsx';
import { hasPaths } from './json-path.ts';
import { itemsOf, type Level } from './level.ts';

type DerivedItem = Extract<SelectItem, { kind: 'column' | 'countRows' }>;

/** The second item of a column is one too: its checkbox stands for the first one. */
export function isDerived(item: SelectItem, index: number, items: readonly SelectItem[]): item is DerivedItem {
  if (item.kind === 'countRows') return true;
  if (item.kind !== 'column') return false;
  const { column } = item.field;
  return !isPlainColumn(item, column) || items.findIndex((one) => isPlainColumn(one, column)) !== index;
}

export function DerivedItems({ level }: { readonly level: Level }): VNode {
  const items = itemsOf(level);
  const { model, path } = level;
  const isKnown = level.source.columns.length > 0;
  return (
    <div class="builder-stack">
      {items.map((item, index) => {
        if (!(isDerived(item, index, items) || (!isKnown && item.kind === 'column'))) return null;
        if (item.kind !== 'column' && item.kind !== 'countRows') return null;
        const address = { path, index };
        const text = renderSelect([item]);
        return (
          <fieldset key={index} class="builder-card">
            <legend class="ui-unseen">{text}</legend>
            <div class="builder-card-head">
              <code class="builder-code">{text}</code>
              <IconButton
                icon="close"
                size="small"
                label={`Remove ${text}`}
                onClick={() => level.change(removeItem(model, address))}
              />
            </div>
            <ItemEditor {...{ level, item }} onEdit={(edit, step) => level.change(edit(model, address), step)} />
          </fieldset>
        );
      })}
      <AddDerived level={level} />
    </div>
  );
}

function AddDerived({ level }: { readonly level: Level }): VNode | null {
  const { model, path, source, schema } = level;
  const insert = (item: SelectItem): void => {
    level.change(
      changeSelect(model, path, (items) => {
        const embeds = items.findIndex(isEmbed);
        return items.toSpliced(embeds < 0 ? items.length : embeds, 0, item);
      }),
    );
  };
  const withPaths = source.columns.filter(({ name }) => hasPaths(source, { column: name, path: [] }));
  const values = withPaths.map((column) => ({
    label: `Value within ${column.name}`,
    note: column.type.name,
    onSelect: () => insert(columnItem({ column: column.name, path: [firstStep(column)] })),
  }));
  const items = schema.document.features.aggregates
    ? [
        { label: 'Count of rows', note: 'count()', onSelect: () => level.change(addCountRows(model, path)) },
        ...source.columns.map((column) => aggregateEntry(column, insert)),
        ...values,
      ]
    : values;
  return items.length === 0 ? null : <Menu label="Add a value" icon="plus" size="small" variant="quiet" items={items} />;
}

function aggregateEntry({ name, type }: DescribedColumn, insert: (item: SelectItem) => void): MenuItem {
  const [first = 'count'] = aggregatesFor(type);
  return {
    label: `Aggregate of ${name}`,
    note: `${first}()`,
    onSelect: () => insert({ ...columnItem(name), aggregate: { function: first, cast: undefined } }),
  };
}

function firstStep({ type }: DescribedColumn): JsonStep {
  const operand = type.isArray ? ({ kind: 'index', digits: '0' } as const) : ({ kind: 'key', name: 'key' } as const);
  return { arrow: '->>', operand };
}

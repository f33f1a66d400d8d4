// Selected items other than whole columns: JSON paths, aggregates, the row count.
import type { VNode } from 'preact';
import type { DescribedColumn, TypeCategory } from '../../../src/contract/schema-document.ts';
import type { SelectItem } from '../../../src/request/query/query-params.ts';
import { addCountRows, columnField, columnItem, removeItem, setColumns } from '../url-state/edit-columns.ts';
import { changeSelect, isEmbed } from '../url-state/levels.ts';
import { renderSelect } from '../../../src/request/query/render-query.ts';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { aggregatesFor } from './aggregates.ts';
import { hasAll, isPlainColumn, selectedColumns } from './edit-items.ts';
import { columnOfValue, FieldChoice, valueOfColumn } from './field-choice.tsx';
import { ItemEditor, setField } from './item-editor.tsx';
import { hasPaths } from './json-path.ts';
import { itemsOf, type Level } from './level.ts';
import { RemoveButton } from './remove-button.tsx';

type DerivedItem = Extract<SelectItem, { kind: 'column' | 'countRows' }>;

/** Includes further items of the same column, because its checkbox represents only the first. */
function isDerived(item: DerivedItem, index: number, items: readonly SelectItem[]): boolean {
  if (item.kind === 'countRows') return true;
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
        if (item.kind !== 'column' && item.kind !== 'countRows') return null;
        if (isKnown && !isDerived(item, index, items)) return null;
        const address = { path, index };
        const text = renderSelect([item]);
        return (
          <fieldset key={index} class="builder-card">
            <legend class="ui-unseen">{text}</legend>
            <div class="ui-row ui-gap-2 builder-card-head">
              <code class="builder-code">{text}</code>
              <RemoveButton label={`Remove ${text}`} onRemove={() => level.change(removeItem(model, address))} />
            </div>
            {item.kind === 'column' ? (
              <FieldChoice
                level={level}
                label="Column"
                chosen={valueOfColumn(item.field.column)}
                onChoose={(value) =>
                  level.change(setField(model, address, { column: columnOfValue(value) ?? '', path: [] }))
                }
              />
            ) : null}
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
  const parted = source.columns.find(({ name }) => hasPaths(source, columnField(name)));
  const summed = source.columns.find(({ type }) => aggregatesFor(type).includes('sum')) ?? source.columns[0];
  const { aggregates } = schema.document.features;
  const items: readonly MenuItem[] = [
    ...(aggregates ? [groupItem(level)] : []),
    ...(aggregates && summed ? [{ label: 'Aggregate of a column', onSelect: () => insert(aggregateOf(summed)) }] : []),
    ...(parted ? [{ label: 'JSON value of a column', onSelect: () => insert(partOf(parted)) }] : []),
  ];
  return items.length === 0 ? null : (
    <Menu label="Add a value" icon="plus" size="small" variant="quiet" items={items} />
  );
}

/** Starts with a single column if all are selected: grouping by all of them would put each row into its own group. */
function groupItem(level: Level): MenuItem {
  const { model, path, source } = level;
  const items = itemsOf(level);
  const first = hasAll(items) ? firstGroup(source) : undefined;
  const names = first === undefined ? [...selectedColumns(items, source.columns)].map(({ name }) => name) : [first];
  const base = first === undefined ? model : setColumns(model, path, [first]);
  return { label: describeGroups(names), onSelect: () => level.change(addCountRows(base, path)) };
}

function firstGroup({ relation, columns }: Level['source']): string | undefined {
  const others = columns.filter(({ name, isComputed }) => !isComputed && relation?.key.includes(name) !== true);
  return (others.find(({ type }) => GROUPED.has(type.category)) ?? others[0] ?? columns[0])?.name;
}

const GROUPED: ReadonlySet<TypeCategory> = new Set<TypeCategory>(['enum', 'boolean']);

function describeGroups(names: readonly string[]): string {
  if (names.length === 0) return 'Count all rows';
  return `Group by ${names.length < 3 ? names.join(', ') : `${names.length} columns`}`;
}

function aggregateOf({ name, type }: DescribedColumn): SelectItem {
  return { ...columnItem(name), aggregate: { function: aggregatesFor(type)[0] ?? 'count', cast: undefined } };
}

function partOf({ name, type }: DescribedColumn): SelectItem {
  const operand = type.isArray ? ({ kind: 'index', digits: '0' } as const) : ({ kind: 'key', name: 'key' } as const);
  return columnItem({ column: name, path: [{ arrow: '->>', operand }] });
}

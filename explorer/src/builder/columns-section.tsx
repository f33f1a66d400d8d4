// The columns of a level: which of them, and further values made of them.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { columnItem } from '../url-state/edit-columns.ts';
import { TextField } from '../ui/field.tsx';
import { Checkbox } from '../ui/toggle.tsx';
import { ColumnRow } from './column-row.tsx';
import { DerivedItems } from './derived-items.tsx';
import { hasAll, isPlainColumn, isSelected, selectAll, selectNone } from './edit-items.ts';
import { itemsOf, type Level } from './level.ts';
import { Section } from './section.tsx';
import { VirtualList } from './virtual-list.tsx';

const SEARCHED_FROM = 12;
const VIRTUAL_FROM = 60;
const ROW_HEIGHT_PX = 28;

export function ColumnsSection({ level }: { readonly level: Level }): VNode {
  const items = itemsOf(level);
  const { columns } = level.source;
  const count = columns.filter((column) => isSelected(items, column)).length;
  const summary = hasAll(items) ? 'all' : `${count} of ${columns.length}`;
  return (
    <Section
      title="Columns"
      summary={columns.length === 0 ? undefined : summary}
      isOpenAtFirst={level.path.length === 0}
    >
      {columns.length === 0 ? (
        <p class="builder-note">The columns of this relation are not known here. Name them in the URL.</p>
      ) : (
        <ColumnChoice level={level} />
      )}
      <DerivedItems level={level} />
    </Section>
  );
}

function ColumnChoice({ level }: { readonly level: Level }): VNode {
  const [search, setSearch] = useState('');
  const items = itemsOf(level);
  const { model, path, source } = level;
  const { columns } = source;
  const isAll = hasAll(items);
  const found = columns.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  const renderRow = (index: number): VNode | null => {
    const column = found[index];
    if (column === undefined) return null;
    const item = items.find((one) => isPlainColumn(one, column.name));
    const shown = item ?? columnItem(column.name);
    return <ColumnRow {...{ level, column, item: shown, isSelected: isSelected(items, column) }} />;
  };
  return (
    <fieldset class="builder-columns">
      <legend class="ui-unseen">Columns to show</legend>
      <Checkbox
        label="All columns"
        isChecked={isAll}
        isMixed={!isAll && items.some(({ kind }) => kind === 'column')}
        onChange={(isChecked) => level.change(isChecked ? selectAll(model, path) : selectNone(model, path, columns))}
      />
      {columns.length < SEARCHED_FROM ? null : (
        <TextField
          label="Search columns"
          isLabelHidden
          size="small"
          type="search"
          placeholder={`Search ${columns.length} columns`}
          value={search}
          onValue={setSearch}
        />
      )}
      {found.length < VIRTUAL_FROM ? (
        <ul>
          {found.map(({ name }, index) => (
            <li key={name}>{renderRow(index)}</li>
          ))}
        </ul>
      ) : (
        <VirtualList
          count={found.length}
          rowHeightPx={ROW_HEIGHT_PX}
          keyOf={(index) => found[index]?.name ?? String(index)}
          renderRow={renderRow}
        />
      )}
      {found.length === 0 ? <p class="builder-note">No column is called so.</p> : null}
    </fieldset>
  );
}

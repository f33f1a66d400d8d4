// Section for the selected columns of a level and values derived from them.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { DescribedColumn } from '../../../src/contract/schema-document.ts';
import { TextField } from '../ui/field.tsx';
import { Checkbox } from '../ui/toggle.tsx';
import { ColumnList } from './column-list.tsx';
import { DerivedItems } from './derived-items.tsx';
import { hasAll, selectAll, selectedColumns, selectNone } from './edit-items.ts';
import { itemsOf, type Level } from './level.ts';
import { Section } from './section.tsx';

const SEARCHED_FROM = 12;

export function ColumnsSection({ level }: { readonly level: Level }): VNode {
  const items = itemsOf(level);
  const { columns } = level.source;
  const selected = selectedColumns(items, columns);
  const summary = hasAll(items) ? 'all' : `${selected.size} of ${columns.length}`;
  return (
    <Section
      title="Columns"
      summary={columns.length === 0 ? undefined : summary}
      isOpenAtFirst={level.path.length === 0}
    >
      {columns.length === 0 ? (
        <p class="builder-note">The columns of this relation are unknown. Enter them in the URL.</p>
      ) : (
        <ColumnChoice level={level} selected={selected} />
      )}
      <DerivedItems level={level} />
    </Section>
  );
}

interface ColumnChoiceProps {
  readonly level: Level;
  readonly selected: ReadonlySet<DescribedColumn>;
}

function ColumnChoice({ level, selected }: ColumnChoiceProps): VNode {
  const [search, setSearch] = useState('');
  const { model, path, source } = level;
  const { columns } = source;
  const isAll = hasAll(itemsOf(level));
  const found = columns.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  return (
    <fieldset class="builder-columns">
      <legend class="ui-unseen">Columns to show</legend>
      <Checkbox
        label="All columns"
        isChecked={isAll}
        isMixed={!isAll && selected.size > 0}
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
      <ColumnList {...{ level, selected }} columns={found} />
      {found.length === 0 ? <p class="builder-note">No matching columns.</p> : null}
    </fieldset>
  );
}

// One column: whether it is selected, and what of it.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { DescribedColumn } from '../../../src/contract/schema-document.ts';
import type { ColumnItem } from '../../../src/request/query/query-params.ts';
import { IconButton } from '../ui/button.tsx';
import { Name } from '../ui/text.tsx';
import { Checkbox } from '../ui/toggle.tsx';
import { addPlainColumn, nameColumn, removePlainColumn } from './edit-items.ts';
import { ItemEditor } from './item-editor.tsx';
import type { Level } from './level.ts';

export interface ColumnRowProps {
  readonly level: Level;
  readonly column: DescribedColumn;
  readonly item: ColumnItem;
  readonly isSelected: boolean;
}

export function ColumnRow({ level, column, item, isSelected }: ColumnRowProps): VNode {
  const [isOpen, setIsOpen] = useState(false);
  const { model, path, source } = level;
  const columnsOfLevel = { model, path, columns: source.columns };
  return (
    <>
      <div class="builder-column">
        <Checkbox
          label={<Name text={column.name} />}
          title={column.comment ?? column.name}
          isChecked={isSelected}
          onChange={(isChecked) =>
            level.change(
              isChecked ? addPlainColumn(model, path, column.name) : removePlainColumn(columnsOfLevel, column.name),
            )
          }
        />
        <span class="builder-type" title={column.type.name}>
          {describeItem(item) ?? column.type.name}
        </span>
        <IconButton
          icon="edit"
          size="small"
          label={`Name and type of ${column.name}`}
          aria-expanded={isOpen}
          disabled={!isSelected}
          onClick={() => setIsOpen(!isOpen)}
        />
      </div>
      {isOpen && isSelected ? (
        <ItemEditor
          level={level}
          item={item}
          onEdit={(edit, step) => {
            const named = nameColumn(columnsOfLevel, column.name);
            level.change(edit(named.model, named.address), step);
          }}
        />
      ) : null}
    </>
  );
}

function describeItem({ alias, cast }: ColumnItem): string | undefined {
  if (alias === undefined && cast === undefined) return undefined;
  return [cast === undefined ? '' : `::${cast}`, alias === undefined ? '' : `as ${alias}`].join(' ').trim();
}

// One column, with its selection, alias and cast.
import type { VNode } from 'preact';
import type { DescribedColumn } from '../../../src/contract/schema-document.ts';
import { shortTypeName } from '../schema/short-type.ts';
import { IconButton } from '../ui/button.tsx';
import { Name } from '../ui/text.tsx';
import { Checkbox } from '../ui/toggle.tsx';
import { addPlainColumn, isPlainColumn, removePlainColumn } from './edit-items.ts';
import { itemsOf, type Level } from './level.ts';

export interface ColumnRowProps {
  readonly level: Level;
  readonly column: DescribedColumn;
  readonly isSelected: boolean;
  readonly isEdited: boolean;
  readonly onEdit: () => void;
}

export function ColumnRow({ level, column, isSelected, isEdited, onEdit }: ColumnRowProps): VNode {
  const { name, type, comment } = column;
  const { model, path, source } = level;
  const select = (isChecked: boolean): void =>
    level.change(
      isChecked ? addPlainColumn(model, path, name) : removePlainColumn({ model, path, columns: source.columns }, name),
    );
  return (
    <div class="ui-row ui-gap-3 builder-column">
      <Checkbox label={<Name text={name} />} title={comment ?? name} isChecked={isSelected} onChange={select} />
      <span class="builder-type" title={type.name}>
        {describeItem(level, name) ?? shortTypeName(type.name)}
      </span>
      <IconButton
        icon="edit"
        size="small"
        label={`Name and type of ${name}`}
        aria-expanded={isEdited}
        disabled={!isSelected}
        onClick={onEdit}
      />
    </div>
  );
}

/** `::text as label`; undefined for the unchanged column. */
function describeItem(level: Level, column: string): string | undefined {
  const item = itemsOf(level).find((one) => isPlainColumn(one, column));
  if (item?.kind !== 'column' || (item.alias === undefined && item.cast === undefined)) return undefined;
  return [item.cast && `::${item.cast}`, item.alias && `as ${item.alias}`].filter(Boolean).join(' ');
}

// Connects the table with the forms: which cells can be edited, and what can be done with selected rows.
import type { VNode } from 'preact';
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import { keyOf } from '../rows/row-links.ts';
import type { EditedCell, SelectedRows, TableAction, TableEditing } from '../result/table-props.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import { CellEditor } from './cell-editor.tsx';
import { chooseForm, type FormChoice } from './form-choice.ts';
import { countRows } from '../rows/pages.ts';
import { undoLatest } from './undo.ts';

export interface TableEditingOptions {
  readonly store: Store;
  readonly schema: SchemaIndex;
  readonly relation: DescribedRelation;
  readonly onChoose: (choice: FormChoice) => void;
}

export function createTableEditing(options: TableEditingOptions): TableEditing {
  const { store, relation } = options;
  const act = (action: TableAction, selected: SelectedRows): void => {
    if (action === 'undo') return void undoLatest(store, relation);
    const choice = chooseForm(action, relation, selected.list());
    return choice === undefined ? undefined : options.onChoose(choice);
  };
  return {
    canEdit: (row, { info }) =>
      info?.source?.may.update === true && !info.source.isComputed && keyOf(row) !== undefined,
    renderEditor: (cell) => renderEditor(options, cell),
    renderActions: (selected) => <SelectionActions {...{ relation, selected, act }} />,
    act,
  };
}

function renderEditor({ store, schema, relation }: TableEditingOptions, cell: EditedCell): VNode {
  const column = cell.column.info?.source;
  return column === undefined ? <></> : <CellEditor {...{ store, schema, relation, column, cell }} />;
}

interface SelectionActionsProps {
  readonly relation: DescribedRelation;
  readonly selected: SelectedRows;
  readonly act: TableEditing['act'];
}

function SelectionActions({ relation: { may }, selected, act }: SelectionActionsProps): VNode {
  return (
    <div class="ui-row ui-wrap ui-gap-3 forms-selection" role="toolbar" aria-label="Selected rows">
      <span role="status">{countRows(selected.count)} selected</span>
      {may.update ? (
        <Button size="small" icon="edit" title="Edit the selected rows (e)" onClick={() => act('edit', selected)}>
          Edit
        </Button>
      ) : null}
      {may.delete ? (
        <Button
          size="small"
          icon="trash"
          title="Delete the selected rows (Delete)"
          onClick={() => act('delete', selected)}
        >
          Delete
        </Button>
      ) : null}
      <Button size="small" variant="quiet" title="Clear the selection (Escape)" onClick={selected.clear}>
        Clear
      </Button>
    </div>
  );
}

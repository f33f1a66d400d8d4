// Renders the form of a choice. Loaded when a form is opened.
import type { VNode } from 'preact';
import type { Store } from '../store/store.ts';
import { CsvUpload } from './csv-upload.tsx';
import { DeleteRow } from './delete-row.tsx';
import type { FormChoice } from './form-choice.ts';
import { RowForm } from './row-form.tsx';
import { RowsDeletion } from './rows-deletion.tsx';
import { RowsEditor } from './rows-editor.tsx';

export interface ChosenFormProps {
  readonly store: Store;
  readonly choice: FormChoice;
  /** Closes the form. */
  readonly onDone: () => void;
}

export function ChosenForm({ store, choice, onDone }: ChosenFormProps): VNode {
  const shared = { store, onDone, relation: choice.relation };
  switch (choice.kind) {
    case 'insert':
      return <RowForm {...shared} given={choice.given} />;
    case 'upload':
      return <CsvUpload {...shared} />;
    case 'change':
      return <RowForm {...shared} rowUrl={choice.rowUrl} />;
    case 'copy':
      return <RowForm {...shared} rowUrl={choice.rowUrl} isCopy />;
    case 'delete':
      return <DeleteRow {...shared} rowUrl={choice.rowUrl} />;
    case 'changeRows':
      return <RowsEditor {...shared} keys={choice.keys} />;
    case 'deleteRows':
      return <RowsDeletion {...shared} keys={choice.keys} />;
  }
}

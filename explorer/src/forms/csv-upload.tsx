// The form to insert rows from a CSV file: a preview, warnings about columns, and the request.
import { useMemo, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import { headerOf } from '../client/headers.ts';
import type { Store } from '../store/store.ts';
import { SelectField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { type CsvPreview, findColumnMismatches, previewCsv } from './csv-preview.ts';
import { finishWrite } from './finish-write.ts';
import { FormDialog } from './form-dialog.tsx';
import { RelationTitle } from './relation-title.tsx';
import { type Duplicates, uploadRequest } from './row-requests.ts';
import { useSending } from './use-sending.ts';

export interface CsvUploadProps {
  readonly store: Store;
  readonly relation: DescribedRelation;
  /** Closes the form. */
  readonly onDone: () => void;
}

interface ChosenFile {
  readonly name: string;
  readonly text: string;
}

export function CsvUpload({ store, relation, onDone }: CsvUploadProps): VNode {
  const [file, setFile] = useState<ChosenFile | undefined>(undefined);
  const [duplicates, setDuplicates] = useState<Duplicates>('refuse');
  const sending = useSending(store, (response) => {
    const [, total] = /\/(\d+)$/u.exec(headerOf(response, 'content-range') ?? '') ?? [];
    const text = `Inserted ${total === undefined ? '' : `${total} rows `}into ${relation.name}`;
    finishWrite(store, { relation, text, rows: [], undo: undefined });
    onDone();
  });
  const preview = useMemo(() => file && previewCsv(file.text), [file]);
  const choose = (list: FileList | null): void => {
    const [chosen] = list ?? [];
    sending.forget();
    if (chosen !== undefined) void chosen.text().then((text) => setFile({ name: chosen.name, text }));
  };
  const mismatches = preview?.ok === true ? findColumnMismatches(preview.value.header, relation) : [];
  const isFit = preview?.ok === true && mismatches.length === 0;
  const request = file !== undefined && isFit ? uploadRequest(relation, file.text, duplicates) : undefined;
  return (
    <FormDialog
      {...{ store, sending, request }}
      title={<RelationTitle verb="Insert a CSV file into" relation={relation} />}
      label="Insert rows"
      blockedReason={reasonOf(preview?.ok, mismatches)}
      width="wide"
      onCancel={onDone}
    >
      <label class="ui-stack ui-gap-2">
        <span class="ui-field-label">CSV file with column names in the first line</span>
        <input type="file" accept=".csv,text/csv" onChange={(event) => choose(event.currentTarget.files)} />
      </label>
      {relation.key.length === 0 ? null : (
        <SelectField
          label="Rows whose key already exists"
          value={duplicates}
          options={DUPLICATES}
          onValue={(value) => setDuplicates(value === 'ignore' || value === 'merge' ? value : 'refuse')}
        />
      )}
      {preview === undefined ? null : preview.ok ? (
        <Preview preview={preview.value} mismatches={mismatches} />
      ) : (
        <Notice tone="danger" title="This file is not valid CSV.">
          <bdi>{preview.error}</bdi>
        </Notice>
      )}
    </FormDialog>
  );
}

const DUPLICATES = [
  { value: 'refuse', label: 'cause an error, and nothing is inserted' },
  { value: 'ignore', label: 'are skipped' },
  { value: 'merge', label: 'are updated from the file' },
];

function reasonOf(isValid: boolean | undefined, mismatches: readonly string[]): string | undefined {
  if (isValid === undefined) return 'Choose a file.';
  if (!isValid) return 'The file is not valid CSV.';
  return mismatches.length === 0 ? undefined : 'The columns of the file do not fit the table.';
}

interface PreviewProps {
  readonly preview: CsvPreview;
  readonly mismatches: readonly string[];
}

function Preview({ preview: { header, rows, hasMore }, mismatches }: PreviewProps): VNode {
  return (
    <>
      {mismatches.map((mismatch) => (
        <Notice key={mismatch} tone="danger" title={<bdi>{mismatch}</bdi>} />
      ))}
      <div class="forms-csv" tabIndex={0} role="region" aria-label="First lines of the file">
        <table>
          <thead>
            <tr>
              {header.map((name, index) => (
                <th key={index} scope="col">
                  <bdi>{name}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((fields, row) => (
              <tr key={row}>
                {header.map((_, index) => (
                  <td key={index}>
                    <bdi>{fields[index] ?? ''}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="forms-note">{hasMore ? 'Showing the first rows of the file.' : 'Showing all rows of the file.'}</p>
    </>
  );
}

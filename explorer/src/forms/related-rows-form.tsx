// Tables of related rows to insert with a new row. Loaded when related rows are added.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import { findLookUp } from '../builder/look-up.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Store } from '../store/store.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Name } from '../ui/text.tsx';
import { type FieldValue, type FieldValues, textValue, valueOf } from './field-value.ts';
import type { FormField } from './form-fields.ts';
import { type RelatedMembers, type RelatedRows, type RelatedTable, renderRelated } from './related-members.ts';
import { ValueField } from './value-field.tsx';
import './related-rows-form.css';

export interface RelatedRowsFormProps {
  readonly store: Store;
  readonly schema: SchemaIndex;
  readonly relation: DescribedRelation;
  readonly tables: readonly RelatedTable[];
  readonly onMembers: (members: RelatedMembers) => void;
}

const NEW_ROW: FieldValues = new Map();

export function RelatedRowsForm({ store, schema, tables, onMembers }: RelatedRowsFormProps): VNode {
  const [rows, setRows] = useState<RelatedRows>(new Map());
  return (
    <>
      {tables.map((table) => {
        const { address } = table.relationship;
        const change = (changed: readonly FieldValues[]): void => {
          const all = new Map(rows).set(address, changed);
          setRows(all);
          onMembers(renderRelated(tables, all));
        };
        return (
          <RelatedTableForm
            key={address}
            {...{ store, schema, table }}
            rows={rows.get(address) ?? []}
            onRows={change}
          />
        );
      })}
    </>
  );
}

interface RelatedTableFormProps extends Pick<RelatedRowsFormProps, 'store' | 'schema'> {
  readonly table: RelatedTable;
  readonly rows: readonly FieldValues[];
  readonly onRows: (rows: readonly FieldValues[]) => void;
}

function RelatedTableForm({ store, schema, table, rows, onRows }: RelatedTableFormProps): VNode {
  const { relationship, fields } = table;
  const target = schema.relations.get(relationship.target);
  const cellOf = (field: FormField, index: number): VNode => {
    const { name } = field.column;
    const row = rows[index] ?? NEW_ROW;
    const change = (value: FieldValue): void => {
      const changed = new Map(row);
      if (value.kind === 'text' && value.text === '') changed.delete(name);
      else changed.set(name, value);
      onRows(rows.with(index, changed));
    };
    return (
      <td key={name}>
        <ValueField
          store={store}
          label={`${name} of row ${index + 1} of ${relationship.address}`}
          input={field.input}
          value={valueOf(row, name)}
          placeholder={field.isRequired ? 'required' : field.column.default === undefined ? 'null' : 'default'}
          lookUp={target && findLookUp(schema, target, name)}
          error={undefined}
          onText={(text) => change(textValue(text))}
          onUnmatched={(text) => change({ kind: 'unmatched', text })}
        />
      </td>
    );
  };
  return (
    <section class="ui-stack ui-gap-2" aria-label={`Related rows: ${relationship.address}`}>
      <div class="ui-row ui-gap-3 related-form-head">
        <Name text={relationship.address} isMono />
        <Button
          size="small"
          icon="plus"
          aria-label={`Add row to ${relationship.address}`}
          onClick={() => onRows([...rows, NEW_ROW])}
        >
          Add row
        </Button>
      </div>
      {rows.length === 0 ? null : (
        <div class="related-form-table" tabIndex={0} role="group" aria-label={`Rows of ${relationship.address}`}>
          <table>
            <thead>
              <tr>
                <td />
                {fields.map(({ column }) => (
                  <th key={column.name} scope="col" title={column.type.name}>
                    <bdi>{column.name}</bdi>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((_, index) => (
                <tr key={index}>
                  <td>
                    <IconButton
                      size="small"
                      variant="quiet"
                      icon="close"
                      label={`Remove row ${index + 1} of ${relationship.address}`}
                      onClick={() => onRows(rows.toSpliced(index, 1))}
                    />
                  </td>
                  {fields.map((field) => cellOf(field, index))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

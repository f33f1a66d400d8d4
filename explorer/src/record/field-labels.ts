// Labels of the rows that the foreign keys of a row reference, from the embeds that its request reads anyway.
import { listLabeledColumns } from '../rows/foreign-labels.ts';
import type { Level } from '../rows/describe-level.ts';
import type { JsonObject } from '../rows/json-value.ts';
import { labelOfRow } from '../rows/row-label.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { RecordModel } from './record-model.ts';

export interface LabeledRow {
  readonly record: RecordModel;
  readonly row: JsonObject;
  readonly level: Level;
}

/** Returns the labels by the name of the foreign key. The table shows labels for the same columns. */
export function listFieldLabels({ record, row, level }: LabeledRow, schema: SchemaIndex): ReadonlyMap<string, string> {
  const values = new Map(row.entries);
  const labels = listLabeledColumns(level, schema).flatMap(({ name, address, labels: columns }) => {
    const reference = record.references.find(({ relationship }) => relationship.address === address);
    const target = values.get(reference?.alias ?? '');
    const label = target?.kind === 'object' ? labelOfRow(columns, target) : undefined;
    return label === undefined ? [] : [[name, label] as const];
  });
  return new Map(labels);
}

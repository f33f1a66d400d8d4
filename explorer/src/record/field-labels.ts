// Labels of the rows that the foreign keys of a row reference, from the embeds that its request reads anyway.
import { listLabeledColumns } from '../rows/foreign-labels.ts';
import type { Level } from '../rows/describe-level.ts';
import type { JsonObject } from '../rows/json-value.ts';
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
  const labels = listLabeledColumns(level, schema).flatMap(({ name, address, label }) => {
    const reference = record.references.find(({ relationship }) => relationship.address === address);
    const target = values.get(reference?.alias ?? '');
    const value = target?.kind === 'object' ? new Map(target.entries).get(label) : undefined;
    return value?.kind === 'string' && value.value !== '' ? [[name, value.value] as const] : [];
  });
  return new Map(labels);
}

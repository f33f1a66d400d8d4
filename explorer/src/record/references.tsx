// The rows that a row references, as links with their labels.
import type { VNode } from 'preact';
import type { JsonObject } from '../rows/json-value.ts';
import { placeOfKey, placeOfRow, renderRecord, textOf } from '../rows/row-links.ts';
import { labelOfRow } from '../rows/row-label.ts';
import { labelColumns } from '../schema/example.ts';
import type { RequestPlace } from '../url-state/place.ts';
import type { FieldsProps } from './fields.tsx';
import type { Reference } from './record-model.ts';

export function References({ record, row, level, schema }: FieldsProps): VNode | null {
  const values = new Map(row.entries);
  const found = record.references.flatMap((reference) => {
    const value = values.get(reference.alias);
    return value?.kind === 'object' ? [{ reference, value }] : [];
  });
  if (found.length === 0) return null;
  return (
    <section aria-labelledby="record-references">
      <h3 id="record-references">References</h3>
      <dl class="record-references">
        {found.map(({ reference, value }) => {
          const info = level.columns.get(reference.alias)?.level;
          const own = info && placeOfKey({ row: value, level: info, schema });
          const place = own ?? placeOfColumns(reference, value, schema);
          return (
            <div key={reference.alias}>
              <dt>
                <bdi>{describeRelationship(reference)}</bdi>
              </dt>
              <dd>
                {place === undefined ? (
                  <bdi>{labelOf(reference, value)}</bdi>
                ) : (
                  <a href={renderRecord(place)}>
                    <bdi>{labelOf(reference, value)}</bdi>
                  </a>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

/** `streets (street_id)` */
function describeRelationship({ relationship: { target, columns } }: Reference): string {
  return columns.length === 0 ? target : `${target} (${columns.map(([own]) => own).join(', ')})`;
}

/** Returns the label, or all values if the row has none. */
function labelOf({ target }: Reference, row: JsonObject): string {
  const columns = labelColumns(target).map(({ name }) => name);
  return labelOfRow(columns, row) ?? row.entries.map(([, value]) => textOf(value) ?? 'null').join(' · ');
}

/** For a target without a primary key. */
function placeOfColumns(
  { relationship, target }: Reference,
  row: JsonObject,
  schema: string | undefined,
): RequestPlace | undefined {
  const values = new Map(row.entries);
  const place = placeOfRow(
    target.name,
    relationship.columns.map(([, other]) => [other, textOf(values.get(other) ?? { kind: 'null' })]),
  );
  return place && { ...place, schema };
}

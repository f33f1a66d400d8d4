// The fields of a row with their types and comments.
import type { VNode } from 'preact';
import type { Level } from '../rows/describe-level.ts';
import type { JsonObject, JsonValue } from '../rows/json-value.ts';
import { LinkedValue } from '../result/linked-value.tsx';
import { linkOf } from '../rows/row-links.ts';
import { describeValue, isLong } from '../rows/value-text.ts';
import { ValueView } from '../result/value-view.tsx';
import { shortTypeName } from '../schema/short-type.ts';
import { Icon } from '../ui/icon.tsx';
import type { RecordModel } from './record-model.ts';

export interface FieldsProps {
  readonly record: RecordModel;
  readonly row: JsonObject;
  readonly level: Level;
  /** The requested schema. */
  readonly schema: string | undefined;
}

interface LabeledFieldsProps extends FieldsProps {
  /** Labels of the referenced rows, by the name of the foreign key. */
  readonly labels: ReadonlyMap<string, string>;
}

export function Fields(props: LabeledFieldsProps): VNode {
  const { record, row } = props;
  const references = new Set(record.references.map(({ alias }) => alias));
  return (
    <section aria-label="Fields">
      <table class="record-fields">
        <tbody>
          {row.entries
            .filter(([name]) => !references.has(name))
            .map(([name, value]) => (
              <Field key={name} {...props} {...{ name, value }} />
            ))}
        </tbody>
      </table>
    </section>
  );
}

interface FieldProps extends LabeledFieldsProps {
  readonly name: string;
  readonly value: JsonValue;
}

function Field({ record, row, level, schema, labels, name, value }: FieldProps): VNode {
  const column = level.columns.get(name)?.source;
  const isOwnKey = record.relation.key.includes(name);
  const link = linkOf(name, { row, level, schema });
  const label = labels.get(name);
  return (
    <tr>
      <th scope="row">
        <span class="ui-row ui-gap-2 record-name">
          {isOwnKey ? <Icon name="key" size={12} /> : null}
          <bdi>{name}</bdi>
        </span>
        <bdi class="record-type" title={column?.type.name}>
          {column && shortTypeName(column.type.name)}
        </bdi>
      </th>
      <td>
        {isLong(value) ? (
          <ValueView value={value} level={undefined} schema={schema} />
        ) : (
          <LinkedValue
            described={describeValue(value, column?.type)}
            href={link?.kind === 'foreignKey' ? link.href : undefined}
          />
        )}
        {label === undefined ? null : (
          <span class="record-label">
            {' · '}
            <bdi>{label}</bdi>
          </span>
        )}
        {column?.comment === undefined ? null : (
          <p class="record-comment">
            <bdi>{column.comment}</bdi>
          </p>
        )}
      </td>
    </tr>
  );
}

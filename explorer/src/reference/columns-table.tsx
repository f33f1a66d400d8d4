// The columns of a relation: type, key, default and comment.
import type { VNode } from 'preact';
import type { DescribedColumn, DescribedRelation } from '../../../src/contract/schema-document.ts';
import { Code } from '../ui/text.tsx';
import { TypeName } from './type-name.tsx';

export function ColumnsTable({ relation }: { readonly relation: DescribedRelation }): VNode {
  return (
    <section aria-labelledby="reference-columns">
      <h3 id="reference-columns">Columns</h3>
      <div class="reference-table" tabIndex={0} role="group" aria-label="Columns">
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Type</th>
              <th scope="col">Key</th>
              <th scope="col">Default</th>
              <th scope="col">Description</th>
            </tr>
          </thead>
          <tbody>
            {relation.columns.map((column) => (
              <tr key={column.name}>
                <th scope="row">
                  <bdi>{column.name}</bdi>
                </th>
                <td>
                  <TypeName type={column.type} />
                  {column.isNullable || column.isComputed ? null : <span class="reference-note">not null</span>}
                </td>
                <td>{keysOf(column, relation)}</td>
                <td>
                  {column.default === undefined ? null : <Code>{column.default}</Code>}
                  <span class="reference-note">{originOf(column)}</span>
                </td>
                <td>
                  <bdi>{column.comment}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** `primary key`, `→ streets.id` */
function keysOf({ name }: DescribedColumn, { key, relationships }: DescribedRelation): string {
  const foreign = relationships
    .filter(({ kind, isToOne }) => isToOne && kind !== 'computed')
    .flatMap(({ target, columns }) =>
      columns.filter(([own]) => own === name && !key.includes(own)).map(([, other]) => `→ ${target}.${other}`),
    );
  return [...(key.includes(name) ? ['primary key'] : []), ...new Set(foreign)].join(', ');
}

function originOf({ isGenerated, isComputed }: DescribedColumn): string {
  if (isComputed) return 'computed by a function';
  return isGenerated ? 'generated' : '';
}

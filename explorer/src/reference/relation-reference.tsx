// The reference of a table or view.
import type { VNode } from 'preact';
import type { DescribedRelation, DescribedRelationship } from '../../../src/contract/schema-document.ts';
import type { OutgoingRequest } from '../client/exchange.ts';
import type { Store } from '../store/store.ts';
import { useReading } from '../store/use-reading.ts';
import { renderPlace } from '../url-state/place.ts';
import { encodeSegment, encodeValue } from '../url-state/readable-text.ts';
import { renderName } from '../../../src/request/query/render-names.ts';
import { ColumnsTable } from './columns-table.tsx';
import { relationExamples } from './example-request.ts';
import { Examples } from './examples.tsx';

export interface RelationReferenceProps {
  readonly store: Store;
  readonly relation: DescribedRelation;
}

export function RelationReference({ store, relation }: RelationReferenceProps): VNode {
  const reading = useReading(store, firstRow(relation));
  const row = reading.kind === 'read' ? reading.rows[0] : undefined;
  return (
    <>
      <p class="reference-comment">
        <bdi>{relation.comment}</bdi>
      </p>
      <p>{describeRights(relation)}</p>
      <ColumnsTable relation={relation} />
      <Relationships {...{ store, relation }} />
      <Examples store={store} examples={relationExamples(relation, row)} />
    </>
  );
}

/** Undefined if the role cannot read rows. */
function firstRow({ name, may, columns }: DescribedRelation): OutgoingRequest | undefined {
  const readable = columns.filter((column) => column.may.select && !column.isComputed);
  if (!may.select || readable.length === 0) return undefined;
  const select = encodeValue(readable.map((column) => renderName(column.name)).join(','));
  const url = `/${encodeSegment(name)}?select=${select}&limit=1`;
  return { method: 'GET', url, headers: [['Accept', 'application/json']], body: undefined };
}

function describeRights({ may }: DescribedRelation): string {
  const rights = [
    ...(may.select ? ['read'] : []),
    ...(may.insert ? ['insert'] : []),
    ...(may.update ? ['update'] : []),
    ...(may.delete ? ['delete'] : []),
  ];
  return rights.length === 0 ? 'Your role cannot use it.' : `Your role can ${LIST.format(rights)} rows.`;
}

const LIST = new Intl.ListFormat('en');

function Relationships({ store, relation }: RelationReferenceProps): VNode | null {
  if (relation.relationships.length === 0) return null;
  return (
    <section aria-labelledby="reference-relationships">
      <h3 id="reference-relationships">Relationships</h3>
      <div class="reference-table" tabIndex={0} role="group" aria-label="Relationships">
        <table>
          <thead>
            <tr>
              <th scope="col">In select</th>
              <th scope="col">Rows of</th>
              <th scope="col">Kind</th>
              <th scope="col">Columns</th>
            </tr>
          </thead>
          <tbody>
            {relation.relationships.map((one) => (
              <tr key={`${one.address} ${one.schema ?? ''}`}>
                <th scope="row">
                  <bdi>{one.address}</bdi>
                </th>
                <td>
                  <a href={referenceTo(one, store.place.value.schema)}>
                    <bdi>{one.schema === undefined ? one.target : `${one.schema}.${one.target}`}</bdi>
                  </a>
                </td>
                <td>{describeKind(one)}</td>
                <td>
                  <bdi>{one.columns.map(([own, other]) => `${own} → ${other}`).join(', ')}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function referenceTo({ target, schema: other }: DescribedRelationship, schema: string | undefined): string {
  return renderPlace({ kind: 'reference', schema: other ?? schema, url: `/${encodeSegment(target)}` });
}

function describeKind({ kind, junction, isToOne }: DescribedRelationship): string {
  switch (kind) {
    case 'manyToOne':
      return 'many to one';
    case 'oneToMany':
      return 'one to many';
    case 'oneToOne':
      return 'one to one';
    case 'manyToMany':
      return junction === undefined ? 'many to many' : `many to many through ${junction}`;
    case 'computed':
      return isToOne ? 'one row of a function' : 'rows of a function';
  }
}

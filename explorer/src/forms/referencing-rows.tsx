// Below the error of a refused deletion: how many rows refer to the rows, with a link to them.
import type { VNode } from 'preact';
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import type { Filter, Operation } from '../../../src/request/query/query-params.ts';
import { headerOf } from '../client/headers.ts';
import type { JsonObject, JsonValue } from '../rows/json-value.ts';
import { countRows, totalOf } from '../rows/pages.ts';
import { textOf } from '../rows/row-links.ts';
import type { Store } from '../store/store.ts';
import { useAnswer } from '../store/use-answer.ts';
import { columnField } from '../url-state/edit-columns.ts';
import { addCondition } from '../url-state/edit-conditions.ts';
import { setLimit } from '../url-state/edit-ranges.ts';
import { renderPlace } from '../url-state/place.ts';
import { createModel, type QueryModel } from '../url-state/query-model.ts';
import { renderUrl } from '../url-state/render-url.ts';
import type { SendingState } from './use-sending.ts';

export interface ReferencingRowsProps {
  readonly store: Store;
  readonly relation: DescribedRelation;
  /** That could not be deleted. */
  readonly rows: readonly JsonObject[];
  readonly state: SendingState;
}

const FIRST_ROWS = 50;

export function ReferencingRows({ store, relation, rows, state }: ReferencingRowsProps): VNode | null {
  const reference = state.kind === 'failed' ? state.error.reference : undefined;
  const model = reference && findReferencing(relation, rows, reference);
  const url = model && renderUrl(model);
  const headers = [['Prefer', 'count=exact']] as const;
  const request = url === undefined ? undefined : ({ method: 'HEAD', url, headers, body: undefined } as const);
  const counted = useAnswer(request && ((signal) => store.send(request, signal)), [store, url]);
  const count = counted?.kind === 'answered' ? totalOf(headerOf(counted.response, 'content-range')) : undefined;
  if (model === undefined || count === undefined) return null;
  const { schema } = store.place.value;
  const place = { kind: 'request', schema, url: renderUrl(setLimit(model, [], FIRST_ROWS)), view: 'table' } as const;
  return (
    <p>
      {countRows(count)} of <bdi>{model.path.name}</bdi> {count === 1 ? 'refers' : 'refer'} to{' '}
      {rows.length === 1 ? 'this row' : 'these rows'}.{' '}
      <a href={renderPlace(place)}>Show {count === 1 ? 'it' : 'them'}</a>
    </p>
  );
}

interface Reference {
  readonly constraint: string;
  readonly table: string;
}

/** Returns undefined if the role cannot see the foreign key, or if a filter cannot name the rows. */
function findReferencing(
  relation: DescribedRelation,
  rows: readonly JsonObject[],
  { constraint, table }: Reference,
): QueryModel | undefined {
  const relationship = relation.relationships.find((one) => one.constraint === constraint && one.target === table);
  if (relationship === undefined || rows.length === 0) return undefined;
  const { columns, target } = relationship;
  if (columns.length === 0 || (columns.length > 1 && rows.length > 1)) return undefined;
  let model = createModel({ kind: 'relation', name: target });
  for (const [own, other] of columns) {
    const texts = rows.map((row) => textOf(new Map<string, JsonValue>(row.entries).get(own) ?? { kind: 'null' }));
    const values = texts.flatMap((text) => text ?? []);
    if (values.length < texts.length) return undefined;
    const [only = '', ...others] = new Set(values);
    const operation: Operation =
      others.length === 0
        ? { kind: 'compare', operator: 'eq', quantifier: undefined, value: only }
        : { kind: 'in', values: [only, ...others] };
    const filter: Filter = { kind: 'filter', field: columnField(other), negated: false, operation };
    model = addCondition(model, { path: [], indexes: [] }, filter);
  }
  return model;
}

// The rows of a response as a table; clicking a column head changes the order of the request.
import { useMemo } from 'preact/hooks';
import type { ComponentChildren, VNode } from 'preact';
import type { Store } from '../store/store.ts';
import { findOrder, toggleOrder } from '../url-state/edit-order.ts';
import type { RequestPlace } from '../url-state/place.ts';
import type { QueryModel } from '../url-state/query-model.ts';
import { renderUrl } from '../url-state/render-url.ts';
import type { Level } from './describe-level.ts';
import type { JsonElements } from './json-elements.ts';
import { ResultTable } from './result-table.tsx';
import type { RowOfLevel } from './row-links.ts';
import { makeTable } from './table-model.ts';
import type { ResultTableProps } from './table-props.ts';

export interface RowsViewProps {
  readonly store: Store;
  readonly place: RequestPlace;
  readonly model: QueryModel | undefined;
  readonly level: Level;
  readonly elements: JsonElements;
  readonly rowMenu?: ((row: RowOfLevel) => ComponentChildren) | undefined;
}

export function RowsView({ store, place, model, level, elements, rowMenu }: RowsViewProps): VNode {
  const table = useMemo(() => makeTable(elements, level), [elements, level]);
  const columns = table.columns.map(({ name }) => name).join('\n');
  const label = `Rows of ${model?.path.name ?? 'the response'}`;
  const order = model === undefined ? UNORDERED : orderBy(model, (url) => store.go({ ...place, url }));
  return <ResultTable key={columns} {...{ label, rowMenu }} {...order} model={table} schema={place.schema} />;
}

type Ordering = Pick<ResultTableProps, 'orderOf' | 'onOrder'>;

const UNORDERED: Ordering = { orderOf: () => undefined, onOrder: undefined };

function orderBy(model: QueryModel, goTo: (url: string) => void): Ordering {
  return {
    orderOf: ({ info }) => (info?.field === undefined ? undefined : findOrder(model, [], { field: info.field })),
    onOrder({ info }, keepsOthers) {
      if (info?.field !== undefined) goTo(renderUrl(toggleOrder(model, [], { field: info.field, keepsOthers })));
    },
  };
}
